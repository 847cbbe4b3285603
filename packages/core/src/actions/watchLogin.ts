import type { Connector } from '../connector.ts'
import type { Latchkey } from '../latchkey.ts'
import type { LoginNews } from '../login.ts'
import { forgetHoldings } from '../account/forgetHoldings.ts'
import { currentEntry, isInHistory } from '../modal/modal.ts'
import { addAlert } from '../state/notices.ts'
import { walletsOf } from '../state/standing.ts'
import { dismissModal, goBack, openModal, pushView } from './navigation.ts'
import { showToast } from './notices.ts'

/** Shows what a wallet of the page's own wants to be seen for, and tells it when the visitor turns away from it. */
export function watchLogin(latchkey: Latchkey, { id, login }: Connector, signal: AbortSignal): void {
  if (login === undefined || signal.aborted) return
  let isShown = false
  const showOrHide = (): void => {
    const wants = login.state.get().screen !== undefined
    if (wants === isShown) return
    isShown = wants
    if (wants) show(latchkey)
    else hide(latchkey)
  }
  const stops = [
    login.state.subscribe(showOrHide),
    latchkey.modal.subscribe((state) => {
      if (!isShown || isInHistory(state, 'ApproveTransaction')) return
      // Closed, gone back from, or replaced: it all means that the visitor does not want to answer [R2.2.7].
      isShown = false
      login.rejectAll()
    }),
    login.listen?.((news) => tell(latchkey, id, login, news)) ?? (() => {}),
  ]
  signal.addEventListener('abort', () => {
    for (const stop of stops) stop()
  })
  showOrHide()
}

/** On top of whatever is on screen, for the visitor to come back to it. */
function show(latchkey: Latchkey): void {
  const entry = { view: 'ApproveTransaction', params: {} } as const
  if (latchkey.modal.getState().open) pushView(latchkey, entry)
  else openModal(latchkey, { entry })
}

function hide(latchkey: Latchkey): void {
  const state = latchkey.modal.getState()
  if (!state.open || currentEntry(state).view !== 'ApproveTransaction') return
  if (state.history.length === 1) dismissModal(latchkey)
  else goBack(latchkey)
}

function tell(latchkey: Latchkey, connectorId: string, login: NonNullable<Connector['login']>, news: LoginNews): void {
  switch (news.type) {
    case 'blocked':
      return addAlert(latchkey.alerts, 'invalid-app-configuration')
    case 'not-allowed':
      login.rejectAll()
      return showToast(latchkey, 'Action not allowed', { variant: 'error' })
    case 'approved':
      return forgetBalances(latchkey, connectorId)
  }
}

/** What was approved may have been paid for. */
function forgetBalances(latchkey: Latchkey, connectorId: string): void {
  for (const { namespace } of latchkey.adapters) {
    for (const wallet of walletsOf(latchkey, namespace)) {
      if (wallet.connectorId === connectorId) forgetHoldings(latchkey, wallet.account, wallet.chainId)
    }
  }
}
