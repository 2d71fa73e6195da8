{{- define "petstore.labels" -}}
app.kubernetes.io/name: petstore
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "petstore.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
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

{{- /* A job that runs one command of petstore-server. Arguments: root, name, schedule, command. */ -}}
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
  jobTemplate:
    spec:
      backoffLimit: 1
      template:
        metadata:
          labels:
            app.kubernetes.io/name: petstore-{{ .name }}
            app.kubernetes.io/instance: {{ .root.Release.Name }}
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          enableServiceLinks: false
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
