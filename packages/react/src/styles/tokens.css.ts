/**
 * The tokens, each with a value for light and dark. Pages set `--latchkey-…` on any ancestor; the private properties
 * (`--_…`) read them.
 */
export const accentTokens: string = `
--_accent:var(--latchkey-accent,light-dark(oklch(.45 .19 264),oklch(.8 .11 264)));
--_on-accent:var(--latchkey-on-accent,oklch(from var(--_accent) clamp(.16,(.62 - l)*999,1) 0 0));
--_text:var(--latchkey-text,light-dark(oklch(.23 .014 264),oklch(.965 .004 264)));
--_muted:var(--latchkey-muted,light-dark(oklch(.49 .016 264),oklch(.745 .014 264)));
--_card:var(--latchkey-card,light-dark(oklch(1 0 0),oklch(.2 .011 264)));
--_fill:var(--latchkey-fill,light-dark(oklch(.967 .003 264),oklch(.252 .013 264)));
--_line:var(--latchkey-line,light-dark(oklch(.92 .005 264),oklch(.31 .014 264)));
--_font:var(--latchkey-font,system-ui,sans-serif);`
