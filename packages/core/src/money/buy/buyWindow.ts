import type { BuyWindow } from './state.ts'

const size = 'popup,width=600,height=800'

/**
 * Opens an empty window for a provider's page. It has to be called in the very click, or browsers keep it from opening.
 * The page will not be able to reach back: its opener is taken away before it is loaded.
 *
 * @param waiting what the window says until the page comes
 * @returns undefined when the browser kept it from opening
 */
export function openBuyWindow(waiting: string): BuyWindow | undefined {
  const opened = globalThis.open?.('', '_blank', size)
  if (opened === undefined || opened === null) return undefined
  try {
    opened.opener = null
    opened.document.title = waiting
    const sentence = opened.document.createElement('p')
    sentence.textContent = waiting
    sentence.style.font = '16px/24px system-ui,sans-serif'
    opened.document.body.append(sentence)
  } catch {
    // Without its words it does as well.
  }
  return {
    go: (url) => opened.location.replace(url),
    isClosed: () => opened.closed,
    close: () => opened.close(),
  }
}
