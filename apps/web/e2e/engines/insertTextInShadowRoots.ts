/**
 * Lets Playwright fill fields in shadow roots of Firefox. Its own function for WebDriver BiDi finds the focused element of
 * the document only, which is the host of the shadow root. Runs in the page.
 */
export function insertTextInShadowRoots(): void {
  function insertText(text: string): Element | undefined {
    let focused = document.activeElement
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
    // Playwright continues in the document of the frame.
    if (focused instanceof HTMLIFrameElement) return focused
    document.execCommand('insertText', false, text)
    return undefined
  }
  Object.defineProperty(globalThis, '__pw_bidiInsertText', { get: () => insertText, set: () => {} })
}
