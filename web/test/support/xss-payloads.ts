const SCRIPT = 'document.title=`xss`';

/** Elements that run the script as soon as they are parsed as HTML, or loaded. */
const ELEMENTS = [
  `<script>${SCRIPT}</script>`,
  `<img src=x onerror=${SCRIPT}>`,
  `<svg onload=${SCRIPT}>`,
  `<svg><script>${SCRIPT}</script></svg>`,
  `<iframe srcdoc="<script>parent.${SCRIPT}</script>">`,
  `<body onload=${SCRIPT}>`,
  `<input autofocus onfocus=${SCRIPT}>`,
  `<details open ontoggle=${SCRIPT}>`,
  `<video><source onerror=${SCRIPT}></video>`,
  `<math><a xlink:href="javascript:${SCRIPT}">x</a></math>`,
  `<a href="javascript:${SCRIPT}">x</a>`,
  `<style onload=${SCRIPT}></style>`,
  `<object data="javascript:${SCRIPT}">`,
];

/** What may end the place that the text is in. */
const BREAKOUTS = ['', '"', "'>", '</title>', '</script>', '-->', '`', '{{', '\\"'] as const;

/** 117 texts, none longer than a name may be. */
export const XSS_PAYLOADS: readonly string[] = BREAKOUTS.flatMap((breakout) =>
  ELEMENTS.map((element) => `${breakout}${element}`),
);
