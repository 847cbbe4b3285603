/**
 * Holds clicks on the buttons of a page that was rendered in advance, because they do nothing until the page's code has
 * loaded. Links work without code, so their clicks are not held.
 *
 * If the page replaced the clicked button meanwhile, the click is repeated on the button with the same name: the app renders
 * the page from scratch if the options in the address differ from those that the host rendered.
 *
 * @returns ends the holding, and repeats the last click
 * @example
 * const releaseClick = holdClicks(document)
 * hydrateRoot(root, <App onReady={releaseClick} />)
 */
export function holdClicks(page: Document): () => void {
  let clicked: { button: HTMLElement; name: string } | undefined
  const hold = (event: MouseEvent): void => {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (button === null) return
    event.preventDefault()
    event.stopImmediatePropagation()
    clicked = { button, name: getName(button) }
  }
  page.addEventListener('click', hold, true)
  return () => {
    page.removeEventListener('click', hold, true)
    if (clicked === undefined) return
    const { button, name } = clicked
    clicked = undefined
    if (button.isConnected) return button.click()
    const replacement = [...page.querySelectorAll('button')].find((each) => getName(each) === name)
    replacement?.click()
  }
}

/** Returns the visible text: the text content of a button that was rendered in advance includes its styles. */
function getName(button: HTMLElement): string {
  return button.ariaLabel ?? button.innerText.trim()
}
