import { linkPage, linkPageHeaders, formatParagraph } from '../../custody/pages/linkPage.ts'
import { requestFactList } from '../../custody/pages/actionLink.ts'
import { escapeHtml } from '../../kit/http/escapeHtml.ts'
import type { ServerWords } from '../../messages/loadServerWords.ts'
import type { FinishedProviderLogin } from './providerLogins.ts'

/** The final state of the window of a provider login. */
export type HandoffState =
  | { readonly as: 'denied' | 'failed' | 'over' }
  /** The code, the request for it, and the origin of the frame, which alone receives it. */
  | ({ readonly as: 'code'; readonly frame: string } & FinishedProviderLogin)

/**
 * Removes the provider's response from the window's history, and passes the code to the frame in the same browser: to the window
 * that opened this one, or to a frame in it. The browser delivers it to the frame's origin only, not to the app. If no frame
 * confirms its receipt, the user enters the code.
 */
const script = `(() => {
  history.replaceState(null, '', location.pathname)
  const shown = document.querySelector('[data-code]')
  if (shown === null || opener === null) return
  const { code, frame } = shown.dataset
  addEventListener('message', ({ origin, data }) => {
    if (origin === frame && data?.type === 'latchkey/code-accepted') close()
  })
  const message = { type: 'latchkey/code', code }
  opener.postMessage(message, frame)
  for (let index = 0; index < Math.min(opener.length, 64); index += 1) opener[index].postMessage(message, frame)
})()`

export const handoffHeaders = linkPageHeaders(script)

function failureTexts({ loginPage }: ServerWords) {
  return {
    denied: { title: loginPage.deniedTitle, text: loginPage.denied },
    failed: { title: loginPage.failedTitle, text: loginPage.failed },
    over: { title: loginPage.expiredTitle, text: loginPage.expired },
  } as const
}

const requestSite = (label: string, origin: string): string =>
  `<dl><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(origin)}</dd></dl>`

/** Renders the page that the window of a provider login ends on. It contains no text from the provider. */
export function handoffPage(words: ServerWords, state: HandoffState): string {
  if (state.as !== 'code') {
    const { title, text } = failureTexts(words)[state.as]
    return linkPage(words, title, formatParagraph(text), script)
  }
  const { handoffPage: texts, linkPage: common } = words
  const { code, origin, frame, request } = state
  const shown = `${code.slice(0, 4)} ${code.slice(4)}`
  return linkPage(
    words,
    texts.title,
    `${formatParagraph(texts.text)}
    <dl><dt>${escapeHtml(texts.code)}</dt>
      <dd data-code="${escapeHtml(code)}" data-frame="${escapeHtml(frame)}"><strong>${escapeHtml(shown)}</strong></dd></dl>
    ${request === undefined ? requestSite(common.site, origin) : requestFactList(words, { ...request, origin })}
    ${formatParagraph(texts.warning)}`,
    script,
  )
}
