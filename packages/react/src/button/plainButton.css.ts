/** Styles of buttons with an image and a name. */
export const plainButtonCss: string = `.latchkey-button:is([data-network],[data-wallet]){min-inline-size:0;background:var(--_fill);
color:var(--_text);box-shadow:inset 0 0 0 1px var(--_line);
&:hover{background:color-mix(in oklab,var(--_fill) 94%,var(--_text))}
&[data-network=unsupported]{color:var(--latchkey-danger,light-dark(oklch(.45 .17 25),oklch(.8 .12 22)))}
>span{display:flex;align-items:center;gap:8px;font-size:14px}
i,img{inline-size:24px;block-size:24px;border-radius:7px;object-fit:cover}
i{display:grid;place-items:center;background:var(--_card);font:650 12px/1 var(--_font)}}`
