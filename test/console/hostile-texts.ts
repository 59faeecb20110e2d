const RUN = 'window.executed=1'

const MARKUP = [
  `<script>${RUN}</script>`,
  `"><script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `"><img src=x onerror=${RUN}>`,
  `<svg onload=${RUN}>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<iframe src="javascript:parent.${RUN}"></iframe>`,
  `<object data="javascript:${RUN}"></object>`,
  `<details open ontoggle=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<marquee onstart=${RUN}>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<form action="javascript:${RUN}"><button autofocus>x</button></form>`,
  `<a href="javascript:${RUN}">x</a>`,
  `<base href="javascript:${RUN}//">`,
  `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<SCRIPT SRC=data:text/javascript,${RUN}></SCRIPT>`,
]

const EXPRESSIONS = [
  `\${${RUN}}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `');${RUN};//`,
  `\`;${RUN};//`,
  `__proto__`,
  `=cmd|' /C calc'!A0`,
  `\u202etxt.exe\u2066`,
  `\ufeff\u200b<b>`,
]

/** Addresses that a browser must never be led to. */
export const HOSTILE_ADDRESSES = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  ` javascript:${RUN}`,
  `java\tscript:${RUN}`,
  `javascript://example.com/%0A${RUN}`,
  `data:text/html,<script>opener.${RUN}</script>`,
  `vbscript:${RUN}`,
  `file:///etc/passwd`,
  `blob:https://example.com/x`,
  `//example.com\\@javascript:${RUN}`,
  `https://example.com/"onmouseover="${RUN}`,
]

/** Texts that would run `window.executed=1` if a page took one of them for more than text. */
export const HOSTILE_TEXTS = [...MARKUP, ...EXPRESSIONS, ...HOSTILE_ADDRESSES]
