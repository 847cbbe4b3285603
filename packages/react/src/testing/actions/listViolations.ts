import { getAccount } from '@latchkey/core'
import { sendState, swapState } from '@latchkey/core/money'
import { currentEntry, modalOf, type ModalState, type ViewName } from '@latchkey/modal'
import type { ActionApp } from './createActionApp.tsx'

const swapViews: readonly ViewName[] = ['Swap', 'SwapSelectToken', 'SwapPreview']

/** Placeholders that stay: the next page of all wallets, and the space of a wallet's own screen. */
const lastingPlaceholders = '.cell, .approve'

/** Lists what is wrong with an app in which nothing is pending. */
export function listViolations(app: ActionApp): readonly string[] {
  const state = modalOf(app.latchkey).state.getState()
  return [
    ...listPageViolations(app, state),
    ...(state.open && app.look().isMounted ? listViewViolations(app, state) : []),
    ...listPaymentViolations(app, state),
    ...listAlertViolations(app),
    ...listButtonViolations(app),
  ]
}

function pick(problems: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.keys(problems).filter((problem) => problems[problem])
}

/** The page has an open dialog for each open modal. It scrolls if there is none. */
function listPageViolations({ look, other }: ActionApp, state: ModalState): readonly string[] {
  const { isMounted, isEmbedded } = look()
  const dialogs = [...document.querySelectorAll('latchkey-modal')].filter((host) => findDialog(host))
  const expected =
    Number(modalOf(other.latchkey).state.getState().open) + Number(state.open && isMounted && !isEmbedded)
  const isLocked = getComputedStyle(document.documentElement).overflowY === 'hidden'
  return pick({
    [`${dialogs.length} dialogs are open, not ${expected}`]: dialogs.length !== expected,
    'the page scrolls': expected > 0 && !isLocked,
    'the page does not scroll': expected === 0 && isLocked,
    'focus is in a closed modal':
      expected === 0 && !isEmbedded && document.activeElement?.localName === 'latchkey-modal',
    'the page has other styles': [document.documentElement, document.body].some(({ style }) => style.cssText !== ''),
  })
}

function findDialog(host: Element): Element | undefined {
  return host.shadowRoot?.querySelector('dialog[open]') ?? undefined
}

/** Returns the shadow root of the first instance's modal. The other one has the theme of the system. */
function findRoot({ isEmbedded }: ReturnType<ActionApp['look']>): ShadowRoot | undefined {
  return [...document.querySelectorAll('latchkey-modal')]
    .filter((host) => host.hasAttribute('data-embedded') === isEmbedded && host.getAttribute('data-theme') !== 'system')
    .map(({ shadowRoot }) => shadowRoot ?? undefined)
    .find((root) => root !== undefined)
}

/** The modal shows the current view, and nothing that waits. */
function listViewViolations({ latchkey, look }: ActionApp, state: ModalState & { open: true }): readonly string[] {
  const root = findRoot(look())
  const { view } = currentEntry(state)
  const panes = [...(root?.querySelectorAll<HTMLElement>('.pane') ?? [])]
  const [pane] = panes
  const busy = [...(pane?.querySelectorAll('.spinner, .skeleton, [aria-busy=true]') ?? [])].filter(
    (element) => element.checkVisibility() && element.closest(lastingPlaceholders) === null,
  )
  // The last account stays on screen if an app activates a namespace without a wallet.
  const hasLeft = view === 'Account' && getAccount(latchkey).status !== 'connected'
  return pick({
    [`there are ${panes.length} panes`]: panes.length !== 1,
    [`the pane shows ${pane?.dataset['view']}, not ${view}`]: pane?.dataset['view'] !== view,
    [`${view} waits: ${busy[0]?.parentElement?.outerHTML.slice(0, 200)}`]: busy.length > 0 && !hasLeft,
    [`${view} is empty`]: pane?.textContent.trim() === '' && view !== 'ApproveTransaction',
    [`${view} has no title`]: (root?.querySelector('#title')?.textContent ?? '') === '',
    'the modal is loading': state.loading,
    'the modal is shaking': state.shaking,
  })
}

/** No swap is open without a view, and no review shows a payment that was reset. */
function listPaymentViolations({ latchkey, look }: ActionApp, state: ModalState): readonly string[] {
  const swap = swapState(latchkey).getState()
  const send = sendState(latchkey).getState()
  const shown = (selector: string): boolean =>
    state.open && findRoot(look())?.querySelector(selector) instanceof Element
  const hasSwapView = state.open && state.history.some(({ view }) => swapViews.includes(view))
  return pick({
    [`a swap is ${swap.status} without a view`]: swap.status !== 'closed' && !hasSwapView,
    'the review of a swap is stale': shown('[data-view=SwapPreview] .swap-review') && swap.order.status === 'none',
    'the review of a payment is stale':
      shown('[data-view=WalletSendPreview] .send-review') && (send.token === undefined || send.receiver === ''),
    'a payment is pending': send.loading,
  })
}

/** The alert about the network is shown for an account on an unsupported one only. */
function listAlertViolations({ latchkey, look, situation }: ActionApp): readonly string[] {
  const account = getAccount(latchkey)
  const hasAlert = modalOf(latchkey)
    .alerts.getState()
    .some(({ code }) => code === 'network-unsupported')
  const isUnsupported = account.status === 'connected' && !account.supported
  const informs = situation.unsupportedNetworks === 'inform' && look().isMounted
  return pick({
    'the alert about the network stays': hasAlert && !isUnsupported,
    'there is no alert about the network': !hasAlert && isUnsupported && informs,
  })
}

/** The connect button shows the account. */
function listButtonViolations({ latchkey, container, look }: ActionApp): readonly string[] {
  if (!look().isMounted) return []
  const text = container.querySelector('.latchkey-button')?.textContent ?? ''
  const account = getAccount(latchkey)
  const address = account.status === 'connected' ? account.address : undefined
  return pick({
    [`the button reads ${text} for ${address}`]: address !== undefined && !text.includes(address.slice(-4)),
    [`the button reads ${text} without an account`]: account.status === 'disconnected' && text.includes('…'),
  })
}
