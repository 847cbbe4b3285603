import { accentTokens } from '../../styles/tokens.css.ts'

const tokens = `
:host{all:initial;color-scheme:light dark;${accentTokens}
--_danger:var(--latchkey-danger,light-dark(oklch(.45 .17 25),oklch(.8 .12 22)));
--_success:var(--latchkey-success,light-dark(oklch(.44 .12 152),oklch(.82 .14 155)));
--_warning:var(--latchkey-warning,light-dark(oklch(.45 .1 70),oklch(.84 .12 82)));
--_control:var(--latchkey-control,light-dark(oklch(.62 .014 264),oklch(.56 .014 264)));
--_scrim:var(--latchkey-scrim,light-dark(oklch(.2 .02 264/.42),oklch(.08 .01 264/.62)));
--_radius:var(--latchkey-radius,24px);--_width:var(--latchkey-width,360px);--_padding:var(--latchkey-padding,20px);
--_shadow:var(--latchkey-shadow,0 0 0 1px light-dark(oklch(0 0 0/.06),oklch(1 0 0/.08)),0 2px 6px oklch(0 0 0/.06),0 16px 48px oklch(0 0 0/.2));
--_ease:cubic-bezier(.25,.8,.3,1);--_side:1}
:host(:dir(rtl)){--_side:-1}
:host([data-theme=light]){color-scheme:light}
:host([data-theme=dark]){color-scheme:dark}
:host(latchkey-modal){all:initial!important;color-scheme:light dark!important}
:host(latchkey-modal[data-theme=light]){color-scheme:light!important}
:host(latchkey-modal[data-theme=dark]){color-scheme:dark!important}
@media(prefers-contrast:more){:host{--_muted:var(--_text);--_line:var(--_control)}}`

const base = `
*,::before,::after{box-sizing:border-box}
.frame{font:450 16px/24px var(--_font);color:var(--_text);-webkit-font-smoothing:antialiased;text-align:start}
h1,h2,p,ul,dl,dd,figure{margin:0;padding:0}ul{list-style:none}
button,a,input{font:inherit;color:inherit;letter-spacing:inherit}
button{margin:0;padding:0;border:0;background:none;cursor:pointer;text-align:inherit;user-select:none}
button,a{-webkit-tap-highlight-color:transparent;touch-action:manipulation}
button:disabled{cursor:default}
svg{display:block;flex:none}
:focus-visible{outline:2px solid var(--_accent);outline-offset:2px}
h1:focus{outline:none}
.hidden{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}`

const dialog = `
dialog{position:fixed;inset:0;display:none;grid-template-columns:minmax(0,var(--_width));place-content:center;
inline-size:100%;block-size:var(--_height,100%);max-inline-size:none;max-block-size:none;margin:0;padding:16px;border:0;overflow:hidden;
z-index:var(--latchkey-z-index,999);background:none;color:inherit;overscroll-behavior:contain;
transition:overlay .15s allow-discrete,display .15s allow-discrete}
dialog[open]{display:grid}
dialog::backdrop{background:var(--_scrim);transition:opacity .15s,overlay .15s allow-discrete,display .15s allow-discrete}
dialog:not([open])::backdrop{opacity:0}
dialog .card{transition:opacity .15s,scale .15s var(--_ease),translate .15s var(--_ease)}
dialog:not([open]) .card{opacity:0;scale:.97}
@starting-style{dialog[open]::backdrop{opacity:0}dialog[open] .card{opacity:1;scale:.97}}
.card{position:relative;display:flex;flex-direction:column;min-inline-size:0;max-block-size:100%;overflow:hidden auto;
border-radius:var(--_radius);background:var(--_card);box-shadow:var(--_shadow)}
.card[data-shaking]{animation:shake .5s var(--_ease)}
@keyframes shake{15%{translate:-7px}35%{translate:6px}55%{translate:-4px}75%{translate:2px}}
.grabber{display:none}`

const sheet = `
@media(max-width:429px){
dialog{place-content:end stretch;grid-template-columns:minmax(0,1fr);padding:max(24px,env(safe-area-inset-top)) 0 0}
dialog .card{padding-block-end:env(safe-area-inset-bottom);border-end-start-radius:0;border-end-end-radius:0;
transition:opacity .25s,translate .25s var(--_ease)}
dialog:not([open]) .card{opacity:1;scale:1;translate:0 100%}
@starting-style{dialog[open] .card{opacity:1;scale:1;translate:0 100%}}
dialog .card[data-dragging]{transition:none}
dialog .grabber{display:block;position:absolute;z-index:1;inset-block-start:8px;inset-inline-start:calc(50% - 18px);
inline-size:36px;block-size:4px;border-radius:2px;background:var(--_line)}
dialog .header{padding-block-start:16px;touch-action:none}
@keyframes shake{20%{translate:-6px}45%{translate:5px}70%{translate:-3px}}}`

const header = `
.header{display:grid;grid-template-columns:44px minmax(0,1fr) 44px;align-items:center;flex:none;padding:8px 8px 4px;min-block-size:56px}
.header[data-network]{grid-template-columns:minmax(0,1fr) 44px}
.titles{display:grid;min-inline-size:0;text-align:center}
.title{grid-area:1/1;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;align-self:center;overflow:hidden;
font:650 16px/22px var(--_font);letter-spacing:-.01em;overflow-wrap:anywhere;text-wrap:balance;transition:opacity .12s}
.title[data-leaving]{opacity:0}
.title:not(:only-child){@starting-style{opacity:0}}
.icon-button{display:grid;place-items:center;inline-size:44px;block-size:44px;border-radius:14px;color:var(--_muted);
transition:background .15s,color .15s}
.icon-button:hover{color:var(--_text);background:var(--_fill)}
svg:is([data-icon=back],[data-icon=forward],[data-icon=exit]){transform:scaleX(var(--_side))}
.network-button{display:flex;align-items:center;gap:8px;justify-self:start;max-inline-size:100%;min-block-size:44px;
padding-inline:10px 12px;margin-inline-start:4px;border-radius:14px;font-weight:550;font-size:14px;transition:background .15s}
.network-button:hover{background:var(--_fill)}
.network-button span:not(.mark){overflow:hidden;text-overflow:ellipsis;white-space:nowrap}`

const stage = `
.stage{position:relative;flex:none;overflow:clip}
.pane{display:flex;flex:none;flex-direction:column;gap:16px;max-block-size:min(624px,var(--_height,100dvh) - var(--_above,120px));padding:8px var(--_padding) var(--_padding);
overflow:hidden auto;overscroll-behavior:contain;scrollbar-width:thin;scrollbar-color:var(--_line) #0000;
transition:opacity .15s,translate .15s var(--_ease)}
.pane[data-leaving]{position:absolute;inset:0 0 auto;opacity:0;pointer-events:none}
[data-direction=next]>.pane[data-leaving]{translate:calc(-20px*var(--_side))}
[data-direction=prev]>.pane[data-leaving]{translate:calc(20px*var(--_side))}
@starting-style{[data-direction=next]>.pane{opacity:0;translate:calc(20px*var(--_side))}
[data-direction=prev]>.pane{opacity:0;translate:calc(-20px*var(--_side))}}`

const parts = `
.rows{display:flex;flex-direction:column;gap:8px}
.row{display:flex;align-items:center;gap:12px;inline-size:100%;min-block-size:56px;padding:8px 12px 8px 8px;
border-radius:max(10px,var(--_radius)*.66);background:var(--_fill);text-align:start;transition:background .15s,scale .15s}
.row>.text{flex:1;min-inline-size:0}
button.row:hover:enabled,a.row:hover{background:color-mix(in oklab,var(--_fill) 94%,var(--_text))}
button.row:active:enabled,a.row:active{scale:.985}
.name{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;font-weight:550;overflow-wrap:anywhere}
.sub{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;color:var(--_muted);font-size:14px;line-height:20px;overflow-wrap:anywhere}
.whole{-webkit-line-clamp:none}
.wallet-row{padding-inline-end:4px}
.tag{flex:none;padding:2px 8px;border-radius:8px;background:var(--_card);color:var(--_muted);font-size:12px;font-weight:550;line-height:16px}
.tag:empty{display:none}
.mark{display:grid;place-items:center;flex:none;inline-size:40px;block-size:40px;border-radius:10px;overflow:hidden;
background:var(--_card);color:var(--_text);font-weight:650;box-shadow:inset 0 0 0 1px var(--_line)}
.mark>*{grid-area:1/1;inline-size:100%;block-size:100%;object-fit:cover}
.mark>svg{inline-size:auto;block-size:auto}
.mark[data-size=small]{inline-size:20px;block-size:20px;border-radius:6px;font-size:12px;line-height:1}
.mark[data-size=large]{inline-size:72px;block-size:72px;border-radius:20px;font-size:28px}
.group{display:flex;flex-direction:column;gap:8px}
.group>h2{padding-inline-start:4px;color:var(--_muted);font-weight:550;font-size:14px;line-height:20px}
.chip{flex:none;min-block-size:44px;padding-inline:12px;border-radius:12px;background:var(--_card);font-weight:550;font-size:14px;transition:background .15s}
.chip:hover{background:color-mix(in oklab,var(--_card) 92%,var(--_text))}
.in-use{display:flex;align-items:center;gap:4px}
.skeleton{display:block;border-radius:8px;background:var(--_line);animation:breathe 1.4s ease-in-out infinite alternate}
.row>.skeleton:first-child{inline-size:40px;block-size:40px;border-radius:10px}
.row>.skeleton+.skeleton{inline-size:112px;block-size:14px}
@keyframes breathe{to{opacity:.45}}
.button{display:flex;align-items:center;justify-content:center;gap:8px;inline-size:100%;min-block-size:48px;padding:8px 16px;
border-radius:max(10px,var(--_radius)*.66);background:var(--_fill);font-weight:550;text-align:center;text-decoration:none;
transition:background .15s,scale .15s}
.button:hover{background:color-mix(in oklab,var(--_fill) 94%,var(--_text))}
.button:active{scale:.985}
.button[aria-disabled=true]{opacity:.55;cursor:default}
.button[data-primary]{background:var(--_accent);color:var(--_on-accent)}
.button[data-primary]:hover{background:color-mix(in oklab,var(--_accent) 90%,var(--_text))}
.button[data-quiet]{background:none;color:var(--_muted)}
.button[data-quiet]:hover{background:var(--_fill);color:var(--_text)}
.buttons{display:flex;flex-wrap:wrap;gap:8px}
.buttons>*{flex:1 0 0;inline-size:auto;min-inline-size:fit-content}
.link{display:inline-flex;align-items:center;gap:6px;min-block-size:44px;padding-inline:8px;border-radius:10px;font-weight:550;
font-size:14px;text-decoration:none;color:var(--_text)}
.link:hover{text-decoration:underline;text-underline-offset:3px}
.hint{color:var(--_muted);font-size:14px;line-height:20px;text-wrap:pretty}
.center{text-align:center}
.headline{font-weight:650;font-size:20px;line-height:28px;letter-spacing:-.015em;text-wrap:balance}
.notice{display:flex;flex-direction:column;align-items:center;gap:4px;padding:4px 4px 0;text-align:center}
.figures{font-variant-numeric:tabular-nums}
.field{display:flex;align-items:center;gap:8px;min-block-size:48px;padding-inline:12px;border-radius:max(10px,var(--_radius)*.58);
background:var(--_fill);box-shadow:inset 0 0 0 1px var(--_control);color:var(--_muted)}
.field:focus-within{box-shadow:inset 0 0 0 2px var(--_accent)}
.field input{flex:1;min-inline-size:0;block-size:48px;padding:0;border:0;background:none;color:var(--_text);outline:none;appearance:none}
.field input::placeholder{color:var(--_muted);opacity:1}
.field input::-webkit-search-cancel-button{display:none}
.spinner{inline-size:20px;block-size:20px;border-radius:50%;border:2px solid var(--_line);border-block-start-color:var(--_accent);animation:turn .8s linear infinite}
@keyframes turn{to{rotate:1turn}}
.alert{display:flex;align-items:start;gap:8px;margin:0 12px 4px;padding-inline:12px 0;border-radius:14px;background:var(--_fill);font-size:14px;line-height:20px}
.alert>svg{margin-block-start:12px;color:var(--_warning)}
.alert>div{flex:1;padding-block:12px;min-inline-size:0}
.alert .link{margin:-4px 0 -12px -8px;color:var(--_text)}
.alert strong{display:block;font-weight:650}
.alert span{color:var(--_muted)}`

const toast = `
.toast{position:fixed;inset:max(16px,env(safe-area-inset-top)) 0 auto;inline-size:max-content;max-inline-size:min(328px,100% - 32px);
margin:0 auto;padding:12px 16px;border:0;border-radius:16px;background:var(--_card);color:var(--_text);box-shadow:var(--_shadow);
font:550 14px/20px var(--_font);opacity:0;translate:0 -8px;z-index:var(--latchkey-z-index,999);
transition:opacity .15s,translate .15s var(--_ease),overlay .15s allow-discrete,display .15s allow-discrete}
.toast:popover-open{display:flex;align-items:center;gap:10px;opacity:1;translate:0 0}
@starting-style{.toast:popover-open{opacity:0;translate:0 -8px}}
.toast[data-variant=success] svg{color:var(--_success)}
.toast[data-variant=error] svg{color:var(--_danger)}
.toast:has(.link,.icon-button){padding-block:8px}
.toast .link{display:flex;margin-inline-start:-8px}
.toast .icon-button{flex:none;margin-inline:auto -12px}
.bar{inset-block:auto max(16px,env(safe-area-inset-bottom));padding:0;border-radius:20px}
.bar .alert{margin:0;background:none;font-weight:450}
.toast .spinner{inline-size:16px;block-size:16px}`

const embed = `
.embed{display:grid;grid-template-columns:minmax(0,var(--_width));justify-content:center}
.embed .pane{max-block-size:624px}`

const preferences = `
@media(prefers-reduced-motion:reduce){*,::before,::after{translate:none!important;scale:none!important;transition-property:opacity,overlay,display!important;animation-name:none!important}
.spinner{animation:breathe 1s infinite alternate!important}}
@media(forced-colors:active){.card,.row,.button,.toast,.field,.tag{border:1px solid CanvasText}.field:focus-within{outline:2px solid Highlight}.skeleton{background:GrayText}
.spinner{border-color:CanvasText;border-block-start-color:Highlight}.button[data-primary]{border-color:Highlight}}`

/** The styles of the modal. */
export const modalCss: string = tokens + base + dialog + header + stage + parts + toast + sheet + embed + preferences
