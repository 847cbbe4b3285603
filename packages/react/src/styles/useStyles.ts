import { useInsertionEffect } from 'react'

/**
 * Applies CSS to a document or shadow root as long as the component is there. Constructed sheets are no inline styles,
 * so the strictest content policy lets them in.
 */
export function useStyles(css: string, findRoot: () => DocumentOrShadowRoot): void {
  useInsertionEffect(() => {
    const root = findRoot()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    root.adoptedStyleSheets.push(sheet)
    return () => {
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((adopted) => adopted !== sheet)
    }
    // Which root it is does not change while the component is there.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [css])
}
