/** The style sheet of the sandbox's pages, for both colour schemes. */
export const sandboxCss = `
:root{color-scheme:light dark;font:450 16px/24px system-ui,sans-serif;--text:light-dark(#17181c,#f2f3f5);--muted:light-dark(#51545e,#b1b4be);
--page:light-dark(#f3f4f6,#0f1013);--card:light-dark(#fff,#1a1b20);--line:light-dark(#74777f,#8b8e98);--accent:light-dark(#2747c7,#9db2ff);
--on-accent:light-dark(#fff,#10142b);--danger:light-dark(#9b1c1c,#ffb0aa);--success:light-dark(#0f6033,#8fe0ad)}
*{box-sizing:border-box;margin:0}
body{display:grid;place-items:center;min-block-size:100dvh;padding:16px;background:var(--page);color:var(--text)}
main{inline-size:min(440px,100%);padding:24px;border-radius:24px;background:var(--card);display:grid;gap:20px}
h1{font-size:20px;line-height:28px;font-weight:650}
h2{font-size:16px;font-weight:650}
.flag{justify-self:start;padding:2px 10px;border-radius:8px;background:light-dark(#fff3cd,#4a3a06);color:light-dark(#533f03,#ffe08a);font-size:14px}
dl{display:grid;grid-template-columns:minmax(7.5em,auto) 1fr;gap:8px 16px;font-variant-numeric:tabular-nums}
dt{color:var(--muted)}dd{text-align:end;overflow-wrap:anywhere}
form{display:grid;gap:16px}
fieldset{display:grid;gap:8px;padding:0;border:0}
legend{font-weight:550;padding:0 0 8px}
label{display:grid;gap:4px;font-weight:550;font-size:14px}
.choice{display:flex;align-items:center;gap:10px;min-block-size:48px;padding-inline:14px;border:1px solid var(--line);border-radius:14px;font-size:16px}
.choice small{margin-inline-start:auto;color:var(--muted);font-weight:450;font-size:14px}
input:not([type=radio]){inline-size:100%;min-block-size:48px;padding-inline:14px;border:1px solid var(--line);border-radius:14px;background:none;color:inherit;font:inherit}
input[aria-invalid=true]{border-color:var(--danger)}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:12px}
.wrong{color:var(--danger);font-weight:450}
.alert{padding:12px 16px;border-radius:14px;border:1px solid currentColor;color:var(--danger)}
.done{padding:12px 16px;border-radius:14px;border:1px solid currentColor;color:var(--success)}
button,.button{display:grid;place-items:center;inline-size:100%;min-block-size:48px;border:0;border-radius:14px;background:var(--accent);color:var(--on-accent);font:inherit;font-weight:550;cursor:pointer;text-decoration:none}
button.quiet{background:none;color:var(--text);border:1px solid var(--line)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{inline-size:100%;border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
td,th{padding:6px 0;text-align:start;font-weight:450}th{color:var(--muted)}
.hint{color:var(--muted);font-size:14px;line-height:20px}
code{overflow-wrap:anywhere}
td code{white-space:nowrap}
@media(forced-colors:active){main,button,.choice{border:1px solid CanvasText}}
`
