/** The style sheet of the services' pages, for both colour schemes. Its values are those of the modal. */
export const pageCss = `
:root{color-scheme:light dark;font:450 16px/24px system-ui,sans-serif;--text:light-dark(#17181c,#f2f3f5);--muted:light-dark(#51545e,#b1b4be);
--page:light-dark(#f3f4f6,#0f1013);--card:light-dark(#fff,#1a1b20);--line:light-dark(#74777f,#8b8e98);--fill:light-dark(#f3f4f6,#26272d);
--accent:light-dark(#2747c7,#9db2ff);--on-accent:light-dark(#fff,#10142b);--danger:light-dark(#9b1c1c,#ffb0aa)}
*{box-sizing:border-box;margin:0}
body{display:grid;place-items:center;min-block-size:100dvh;
padding:max(16px,env(safe-area-inset-top)) max(16px,env(safe-area-inset-right)) max(16px,env(safe-area-inset-bottom)) max(16px,env(safe-area-inset-left));
background:var(--page);color:var(--text)}
main{inline-size:min(400px,100%);padding:24px;border-radius:24px;background:var(--card);display:grid;gap:16px;overflow-wrap:anywhere;
box-shadow:0 8px 32px light-dark(#17181c1f,#0006)}
main[hidden]{display:none}
h1{font-size:20px;line-height:28px;font-weight:650;text-wrap:balance}
h1:not(:last-child){margin-block-end:-4px}
p{text-wrap:pretty}
dl{display:grid;gap:12px;padding:16px;border-radius:14px;background:var(--fill)}
dt{color:var(--muted);font-size:14px;line-height:20px}
dt:not(:first-child){margin-block-start:4px}
dd{margin-block-start:-12px;font-weight:550}
dd strong{font-size:28px;line-height:36px;font-weight:650;letter-spacing:.08em;font-variant-numeric:tabular-nums}
form{display:grid;gap:12px}
form+p{color:var(--muted);font-size:14px;line-height:20px}
label{font-weight:550}
input:not([type=hidden]){inline-size:100%;min-block-size:56px;border:1px solid var(--line);border-radius:14px;background:none;color:inherit;
font:650 28px/36px system-ui,sans-serif;font-variant-numeric:tabular-nums;letter-spacing:.2em;text-align:center}
input[aria-invalid=true]{border-color:var(--danger)}
[role=alert]{color:var(--danger);font-weight:550}
button,a[data-next]{display:grid;place-items:center;inline-size:100%;min-block-size:48px;padding:8px 16px;border:0;border-radius:14px;
background:var(--accent);color:var(--on-accent);font:550 16px/24px system-ui,sans-serif;text-decoration:none;cursor:pointer}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media(max-width:430px){body{padding:0;background:var(--card)}main{padding:24px 20px;border-radius:0;box-shadow:none}}
@media(forced-colors:active){main,button,a[data-next],dl{border:1px solid CanvasText}}
`
