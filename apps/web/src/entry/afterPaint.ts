/**
 * Waits until the browser has shown the page, so that code does not delay the first paint.
 *
 * @returns resolves after the next two frames; immediately if the page is hidden, because it has no frames
 * @example await afterPaint()
 */
export function afterPaint(): Promise<void> {
  if (document.visibilityState === 'hidden') return Promise.resolve()
  return new Promise((resolve) => {
    // The first frame appears on the screen about when the second begins. The timer runs once the second is painted.
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))
  })
}
