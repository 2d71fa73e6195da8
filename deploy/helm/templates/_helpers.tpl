{{- define "petstore.labels" -}}
app.kubernetes.io/name: petstore
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* A value as text. A whole number of a values file is a float, which `quote` writes as 1e+06 from a million on. */ -}}
{{- define "petstore.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ printf "%.0f" . }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{- define "petstore.tag" -}}
{{ include "petstore.text" (.Values.image.tag | default .Chart.AppVersion) }}
{{- end }}

{{- define "petstore.image" -}}
{{ .Values.image.repository }}:{{ include "petstore.tag" . }}
{{- end }}

{{- define "petstore.pullSecrets" -}}
{{- with .Values.image.pullSecrets -}}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{- /* The variables of a pod, a list in JSON. Each name is there once: of two of them, an upgrade may remove the one that counts. */ -}}
{{- define "petstore.environment" -}}
{{- $settings := .Values.settings | default dict -}}
{{- $all := list -}}
{{- /* A pod that is told to stop gets new connections until every node has heard of it: PETSTORE_DRAIN_DELAY. */ -}}
{{- range list
  (list "PETSTORE_BASE_URL" .Values.baseUrl)
  (list "PETSTORE_TRUSTED_PROXIES" .Values.trustedProxies)
  (list "PETSTORE_DRAIN_DELAY" "10")
  (list "PETSTORE_DRAIN_TIMEOUT" "15") -}}
  {{- if not (hasKey $settings (first .)) -}}
    {{- $all = append $all (dict "name" (first .) "value" (last .)) -}}
  {{- end -}}
{{- end -}}
{{- range $name, $value := $settings -}}
  {{- $all = append $all (dict "name" $name "value" (include "petstore.text" $value)) -}}
{{- end -}}
{{- toJson $all -}}
{{- end }}

{{- define "petstore.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "petstore.podSecurityContext" -}}
runAsNonRoot: true
# The image's own user: Node's cache of the code is kept for this id.
runAsUser: 1000
runAsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- /* A job that runs one command of petstore-server. Arguments: root, name, schedule, args; image, claim, deadlineSeconds. */ -}}
{{- define "petstore.job" -}}
apiVersion: batch/v1
kind: CronJob
metadata:
  name: {{ .root.Release.Name }}-{{ .name }}
  labels:
    {{- include "petstore.labels" .root | nindent 4 }}
spec:
  schedule: {{ .schedule | quote }}
  concurrencyPolicy: Forbid
  # The last result stays visible.
  successfulJobsHistoryLimit: 1
  failedJobsHistoryLimit: 3
  jobTemplate:
    spec:
      backoffLimit: 1
      {{- with .deadlineSeconds }}
      activeDeadlineSeconds: {{ . }}
      {{- end }}
      template:
        metadata:
          labels:
            app.kubernetes.io/name: petstore-{{ .name }}
            app.kubernetes.io/instance: {{ .root.Release.Name }}
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          enableServiceLinks: false
          {{- with include "petstore.pullSecrets" .root }}
          {{- . | nindent 10 }}
          {{- end }}
          # An interrupted command removes what it made.
          terminationGracePeriodSeconds: 60
          securityContext:
            {{- include "petstore.podSecurityContext" .root | nindent 12 }}
            fsGroup: 1000
          containers:
            - name: {{ .name }}
              image: {{ .image | default (include "petstore.image" .root) }}
              args: {{ toJson .args }}
              envFrom:
                - secretRef:
                    name: {{ .root.Values.secret }}
              resources:
                {{- toYaml .root.Values.jobs.resources | nindent 16 }}
              securityContext:
                {{- include "petstore.securityContext" .root | nindent 16 }}
              volumeMounts:
                - name: tmp
                  mountPath: /tmp
                {{- if .claim }}
                - name: backups
                  mountPath: /backups
                {{- end }}
          volumes:
            - name: tmp
              emptyDir: {}
            {{- if .claim }}
            - name: backups
              persistentVolumeClaim:
                claimName: {{ .claim }}
            {{- end }}
{{- end }}
