/** The style sheet of the reference page. It asks for nothing: no fonts, no images. */
export const DOCS_STYLE = `:root {
  color-scheme: light dark;
  --page: #ffffff;
  --side: #f7f9fa;
  --line: #e1e7ec;
  --text: #17212e;
  --soft: #526072;
  --accent: #0f766e;
  --tint: #e6f4f1;
  --chip: #eef2f5;
  --green: #137040;
  --green-tint: #e2f5e9;
  --blue: #1559b7;
  --blue-tint: #e5effd;
  --amber: #8a4b00;
  --amber-tint: #fdf0d9;
  --red: #b42331;
  --red-tint: #fdeaec;
  --violet: #6338b8;
  --violet-tint: #f0eafd;
  --code-page: #111a27;
  --code-head: #1a2535;
  --code-line: #111a27;
  --code-text: #dbe4ef;
  --code-soft: #9fb0c5;
  --code-key: #8ac7ff;
  --code-string: #9be3b4;
  --code-literal: #ffc58a;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  --side-width: 288px;
}

@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d131b;
    --side: #101822;
    --line: #243143;
    --text: #e3eaf3;
    --soft: #9dacbf;
    --accent: #5fd6c5;
    --tint: #12312f;
    --chip: #1b2634;
    --green: #7fdba2;
    --green-tint: #12301f;
    --blue: #8fc1ff;
    --blue-tint: #14294a;
    --amber: #f5be70;
    --amber-tint: #38270c;
    --red: #ff9ca5;
    --red-tint: #401a20;
    --violet: #c5adff;
    --violet-tint: #2a1f4c;
    --code-page: #121b27;
    --code-head: #182333;
    --code-line: #243143;
  }
}

*, *::before, *::after { box-sizing: border-box; }

html { scroll-padding-top: 24px; -webkit-text-size-adjust: 100%; }

body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 15px/1.6 var(--sans);
  overflow-wrap: break-word;
}

a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }

code { font-family: var(--mono); font-size: 0.875em; }
p code, li code, td code { padding: 1px 5px; border-radius: 5px; background: var(--chip); }

h1, h2, h3, h4 { line-height: 1.25; letter-spacing: -0.012em; text-wrap: balance; }
h1 { margin: 0 0 14px; font-size: 34px; letter-spacing: -0.025em; }
h2 { margin: 0 0 14px; font-size: 25px; }
h3 { margin: 0 0 12px; font-size: 20px; }
h4 { margin: 32px 0 10px; font-size: 14px; letter-spacing: 0; }
.text > h3:not(:first-child) { margin-top: 32px; font-size: 16px; }
.product { color: var(--soft); font-weight: 400; }
.self { color: inherit; text-decoration: none; }
.self::after { content: ' #'; color: var(--accent); opacity: 0; font-weight: 400; }
.self:hover::after, .self:focus-visible::after { opacity: 1; }
.self code { font-size: 0.92em; }

p { margin: 0 0 14px; }
ul, ol { margin: 0 0 14px; padding-left: 20px; }
li { margin: 4px 0; }

.skip {
  position: fixed;
  z-index: 30;
  top: 10px;
  left: 10px;
  padding: 8px 14px;
  border-radius: 8px;
  background: var(--accent);
  color: var(--page);
  transform: translateY(-80px);
}
.skip:focus { transform: none; }

.top {
  position: fixed;
  z-index: 11;
  top: 0;
  left: 0;
  width: var(--side-width);
  height: 64px;
  display: flex;
  align-items: center;
  padding: 0 20px;
  background: var(--side);
  border-right: 1px solid var(--line);
}
.brand {
  display: flex;
  align-items: center;
  gap: 10px;
  min-width: 0;
  color: var(--text);
  font-weight: 650;
  line-height: 1.2;
  text-decoration: none;
}
.brand img { flex: none; }
.menu, .close { display: none; }

nav {
  position: fixed;
  z-index: 10;
  inset: 64px auto 0 0;
  width: var(--side-width);
  padding: 4px 12px 32px;
  overflow-y: auto;
  background: var(--side);
  border-right: 1px solid var(--line);
  font-size: 14px;
  line-height: 1.4;
  scroll-target-group: auto;
}
.nav-title {
  margin: 20px 8px 6px;
  color: var(--soft);
  font-size: 12px;
  font-weight: 650;
  letter-spacing: 0.02em;
}
nav ul { margin: 0; padding: 0; list-style: none; }
nav li { margin: 1px 0; }
nav li code { padding: 0; background: none; }
nav li a {
  display: flex;
  align-items: baseline;
  gap: 8px;
  padding: 5px 8px;
  border-radius: 6px;
  color: var(--text);
  text-decoration: none;
}
nav li a:hover { background: var(--chip); }
nav li a:target-current { background: var(--tint); color: var(--accent); }
nav .label { flex: 1; min-width: 0; }
nav .gone .label { color: var(--soft); text-decoration: line-through; }
nav .verb { flex: none; width: 40px; padding: 1px 0; font-size: 10px; text-align: center; }
.nav-note { color: var(--soft); font-size: 11px; font-weight: 400; }

main, footer { margin-left: var(--side-width); }
.split, .group-title, footer { padding: 56px 48px 0; }
.split, .group-title, footer p { max-width: 1240px; }
.text { min-width: 0; }
.split:not(.operation, .schema, .introduction), .group { border-top: 1px solid var(--line); margin-top: 56px; }
.group-title p { color: var(--soft); margin: 0; }
.group-title + .split { padding-top: 36px; }
.group .split + .split { border-top: 1px solid var(--line); margin-top: 56px; }
.code { display: grid; gap: 16px; align-content: start; min-width: 0; margin-top: 24px; }

@media (min-width: 1160px) {
  .split { display: grid; grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr); gap: 44px; align-items: start; }
  .code { position: sticky; top: 24px; margin-top: 0; }
}

.facts { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 14px; }
.endpoint {
  display: flex;
  align-items: baseline;
  gap: 10px;
  padding: 9px 12px;
  border: 1px solid var(--line);
  border-radius: 9px;
  background: var(--side);
}
.endpoint code { display: inline; min-width: 0; padding: 0; background: none; font-size: 14px; overflow-wrap: anywhere; }
.base { color: var(--soft); }
.badges:empty { display: none; }
.access { color: var(--soft); }
.access span { color: var(--text); font-weight: 600; margin-right: 6px; }

.verb, .badge, .status {
  display: inline-block;
  padding: 2px 8px;
  border-radius: 6px;
  font-size: 12px;
  font-weight: 650;
  line-height: 1.5;
  white-space: nowrap;
}
.verb, .status { font-family: var(--mono); }
.verb { background: var(--chip); color: var(--soft); }
.v-get, .v-head { background: var(--blue-tint); color: var(--blue); }
.v-post { background: var(--green-tint); color: var(--green); }
.v-patch, .v-put { background: var(--amber-tint); color: var(--amber); }
.v-delete { background: var(--red-tint); color: var(--red); }
.badge { border-radius: 99px; padding: 2px 10px; background: var(--chip); color: var(--text); }
.experimental { background: var(--amber-tint); color: var(--amber); }
.beta { background: var(--violet-tint); color: var(--violet); }
.deprecated { background: var(--red-tint); color: var(--red); }
.sunset { background: none; color: var(--red); box-shadow: inset 0 0 0 1px currentColor; }
.version { background: var(--tint); color: var(--accent); }
.status { background: var(--chip); color: var(--soft); }
.s2 { background: var(--green-tint); color: var(--green); }
.s3 { background: var(--blue-tint); color: var(--blue); }
.s4 { background: var(--amber-tint); color: var(--amber); }
.s5 { background: var(--red-tint); color: var(--red); }

table { width: 100%; margin: 0 0 18px; border-collapse: collapse; font-size: 14px; line-height: 1.5; }
th, td { padding: 10px 12px 10px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th:last-child, td:last-child { padding-right: 0; }
th { font-weight: 500; }
thead th { padding-top: 0; padding-bottom: 6px; color: var(--soft); font-size: 12px; font-weight: 600; }
td > :last-child { margin-bottom: 0; }
td p { margin-bottom: 6px; }
.rows { table-layout: fixed; }
.rows thead th:first-child { width: 40%; }
.rows th > span { display: inline-block; }
.rows .name { display: block; font-weight: 650; }
.rows .type { margin-right: 6px; }
.name code { overflow-wrap: break-word; }
.type { color: var(--soft); }
.required { color: var(--amber); font-size: 12px; font-weight: 600; }
.errors { margin-top: 10px; }
.errors summary { cursor: pointer; padding: 8px 0; font-weight: 650; }
.errors summary code { font-weight: 400; }
h4 .required { margin-left: 6px; }
.status-name { display: inline-flex; flex-wrap: wrap; align-items: baseline; gap: 2px 8px; }
.rows th .status-name { display: flex; }
.rows th .status-name + .type { margin-top: 4px; }
.reason { font-weight: 600; }
.bounds, .headers { margin: 0; padding: 0; list-style: none; color: var(--soft); }
.bounds { display: flex; flex-wrap: wrap; gap: 2px 12px; }
.bounds li { margin: 0; }
.bounds code, .values code { overflow-wrap: anywhere; }
.values { color: var(--soft); line-height: 1.75; }
code:has(wbr) { display: inline-block; }
.codes { color: var(--soft); line-height: 1.75; }
.note, .media { color: var(--soft); font-size: 14px; }
.servers { padding: 0; list-style: none; }
.servers li { padding: 10px 0; margin: 0; border-bottom: 1px solid var(--line); color: var(--soft); }
.servers code { display: table; color: var(--text); margin-bottom: 2px; }
.plans th, .plans td { width: 33%; font-variant-numeric: tabular-nums; }
.errors th:first-child { width: 62px; }
.errors td:nth-child(2) { width: 42%; }

.panel { margin: 0; overflow: hidden; border: 1px solid var(--code-line); border-radius: 10px; background: var(--code-page); color: var(--code-text); }
.panel figcaption {
  padding: 9px 16px;
  background: var(--code-head);
  color: var(--code-soft);
  font-size: 12.5px;
  font-weight: 600;
}
.panel figcaption .status-name { margin: -2px 0 -2px 4px; }
.panel pre { margin: 0; padding: 14px 16px 16px; font-size: 14px; line-height: 1.6; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }
.shell { word-break: break-all; }
.key { color: var(--code-key); }
.string { color: var(--code-string); }
.literal { color: var(--code-literal); }

footer { margin-top: 72px; padding-top: 24px; padding-bottom: 40px; border-top: 1px solid var(--line); color: var(--soft); font-size: 13px; }
footer p { margin: 0; }

section:target > .text > h2, section:target > .text > h3, section:target > .group-title > h2 {
  box-shadow: -14px 0 0 var(--page), -17px 0 0 var(--accent);
}

@media (max-width: 959px) {
  html { scroll-padding-top: 76px; }
  html:has(nav:target) { overflow: hidden; }
  .top {
    position: sticky;
    width: auto;
    height: 56px;
    justify-content: space-between;
    gap: 12px;
    border-right: 0;
    border-bottom: 1px solid var(--line);
  }
  .menu, .close {
    display: block;
    flex: none;
    padding: 6px 14px;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--page);
    color: var(--text);
    font-size: 14px;
    text-decoration: none;
  }
  nav { display: none; }
  nav:target { display: block; z-index: 20; inset: 0; width: auto; border: 0; padding: 12px 20px 32px; font-size: 16px; }
  .close { position: sticky; top: 0; width: max-content; margin-left: auto; }
  nav li a { padding: 9px 8px; }
  main, footer { margin-left: 0; }
  .split, .group-title, footer { padding-left: 20px; padding-right: 20px; }
  .split { padding-top: 40px; }
  .group-title { padding-top: 40px; }
  .split:not(.operation, .schema, .introduction), .group, .group .split + .split { margin-top: 40px; }
  h1 { font-size: 28px; }
  h2 { font-size: 23px; }
  .code { margin-top: 20px; }
}

@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
}

@media (forced-colors: active) {
  .verb, .badge, .status, .panel { border: 1px solid; }
}

@media print {
  :root {
    color-scheme: light;
    --page: #ffffff;
    --side: #ffffff;
    --line: #c9d1d9;
    --text: #000000;
    --soft: #404a56;
    --accent: #0b5d56;
    --chip: #ffffff;
    --tint: #ffffff;
    --code-page: #ffffff;
    --code-head: #ffffff;
    --code-line: #c9d1d9;
    --code-text: #000000;
    --code-soft: #404a56;
    --code-key: #1559b7;
    --code-string: #137040;
    --code-literal: #8a4b00;
  }
  body { font-size: 10.5pt; }
  .top, nav, .skip { display: none; }
  main, footer { margin-left: 0; }
  .split { display: block; }
  .split, .group-title, footer { padding-left: 0; padding-right: 0; }
  .code { position: static; margin-top: 14px; }
  .errors::details-content { content-visibility: visible; block-size: auto; }
  .panel, tr { break-inside: avoid; }
  h2, h3, h4, thead { break-after: avoid; }
}
`;
