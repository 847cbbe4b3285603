/**
 * Holds clicks on the buttons of a page that was rendered in advance, because they do nothing until the page's code has
 * loaded. Links work without code, so their clicks are not held.
 *
 * @returns ends the holding, and repeats the last click
 * @example
 * const releaseClick = holdClicks(document)
 * hydrateRoot(root, <App onReady={releaseClick} />)
 */
export function holdClicks(page: Document): () => void {
  let clicked: HTMLElement | undefined
  const hold = (event: MouseEvent): void => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (button === null) return
    event.preventDefault()
    event.stopImmediatePropagation()
    clicked = button
  }
  page.addEventListener('click', hold, true)
  return () => {
    page.removeEventListener('click', hold, true)
    clicked?.click()
    clicked = undefined
  }
}
