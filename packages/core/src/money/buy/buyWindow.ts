import type { BuyWindow } from './state.ts'

const size = 'popup,width=600,height=800'

/**
 * Opens an empty window for a provider's page. Call it during the click, or the browser blocks it. The page can't
 * access its opener, which is removed before the page loads.
 *
 * @param waitingText shown in the window until the page loads
 * @returns undefined if the browser blocked the window
 */
export function openBuyWindow(waitingText: string): BuyWindow | undefined {
  const opened = globalThis.open?.('', '_blank', size)
  if (opened === undefined || opened === null) return undefined
  try {
    opened.opener = null
    opened.document.title = waitingText
    const sentence = opened.document.createElement('p')
    sentence.textContent = waitingText
    sentence.style.font = '16px/24px system-ui,sans-serif'
    opened.document.body.append(sentence)
  } catch {
    // The window also works without the text.
  }
  return {
    go: (url) => opened.location.replace(url),
    isClosed: () => opened.closed,
    close: () => opened.close(),
  }
}
