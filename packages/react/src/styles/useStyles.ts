import { useInsertionEffect } from 'react'

/**
 * Applies CSS to a document or shadow root while the component is mounted. Constructed stylesheets are not inline styles,
 * so even the strictest content security policy allows them.
 */
export function useStyles(css: string, findRoot: () => DocumentOrShadowRoot): void {
  // The root does not change while the component is mounted.
  // oxlint-disable-next-line react/exhaustive-deps
  useInsertionEffect(() => adoptStyles(findRoot(), css), [css])
}

/** Applies CSS to a document or shadow root. Returns a function that removes it. */
export function adoptStyles(root: DocumentOrShadowRoot, css: string): () => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  root.adoptedStyleSheets.push(sheet)
  return () => {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((adopted) => adopted !== sheet)
  }
}
