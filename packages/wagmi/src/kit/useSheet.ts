import { useInsertionEffect } from 'react'

/**
 * Applies a constructed stylesheet to the page while the component is mounted.
 *
 * @param create called in the page only
 * @param key the sheet is created again when it changes
 */
export function useSheet(create: () => CSSStyleSheet, key: string): void {
  useInsertionEffect(() => {
    const sheet = create()
    document.adoptedStyleSheets.push(sheet)
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((adopted) => adopted !== sheet)
    }
    // The key stands for everything that the sheet is made of.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key])
}
