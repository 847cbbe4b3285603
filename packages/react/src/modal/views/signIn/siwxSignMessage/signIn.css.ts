// The hint reserves four lines, so that the modal keeps its height while the text changes.
export const signInCss: string = `
.sign-in{display:flex;flex-direction:column;align-items:center;gap:12px;padding-block:16px 4px;text-align:center}
.pair{display:flex;margin-block-end:8px}
.pair>.mark{position:relative;border-radius:24px;box-shadow:0 0 0 4px var(--_card);transition:translate .3s var(--_ease)}
.pair>.mark+.mark{margin-inline-start:-6px}
@starting-style{.pair>.mark{translate:calc(-20px*var(--_side))}.pair>.mark+.mark{translate:calc(20px*var(--_side))}}
.pair[data-waiting]>.mark+.mark{animation:breathe 1.4s ease-in-out infinite alternate}
.prompt{display:flex;flex-direction:column;align-items:center;gap:8px}
.sign-in .headline{overflow-wrap:anywhere}
.sign-in .hint{max-inline-size:288px;min-block-size:80px}
.who{max-inline-size:100%;padding:4px 12px;border-radius:10px;background:var(--_fill);color:var(--_muted);font-size:14px;line-height:20px}`
