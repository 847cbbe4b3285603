import {
  closeModal,
  dismissModal,
  goBack,
  openModal,
  openSendFlow,
  pushView,
  replaceView,
  resetView,
  reviewSendFlow,
  reviewSwapFlow,
  showAlert,
  showToast,
  type ViewEntry,
} from '@latchkey/modal'
import type { ActionApp } from './createActionApp.tsx'
import { viewEntries } from './viewEntries.ts'

type Choice = number | string

function entryAt(choice: Choice): ViewEntry {
  return viewEntries[Number(choice)] ?? { view: 'Connect', params: {} }
}

/** The calls of an app that uses the modal. The entries are the same objects each time. */
export const modalActions = {
  open: ({ latchkey }: ActionApp) => openModal(latchkey),
  openEntry({ latchkey }: ActionApp, choice: Choice) {
    openModal(latchkey, { entry: entryAt(choice) })
    return entryAt(choice).view
  },
  push({ latchkey }: ActionApp, choice: Choice) {
    pushView(latchkey, entryAt(choice))
    return entryAt(choice).view
  },
  replace({ latchkey }: ActionApp, choice: Choice) {
    replaceView(latchkey, entryAt(choice))
    return entryAt(choice).view
  },
  reset({ latchkey }: ActionApp, choice: Choice) {
    resetView(latchkey, entryAt(choice))
    return entryAt(choice).view
  },
  back: ({ latchkey }: ActionApp) => goBack(latchkey),
  close: ({ latchkey }: ActionApp) => closeModal(latchkey),
  dismiss: ({ latchkey }: ActionApp) => dismissModal(latchkey),
  openSend: ({ latchkey }: ActionApp) => openSendFlow(latchkey),
  reviewSwap: ({ latchkey }: ActionApp) => void reviewSwapFlow(latchkey),
  reviewSend: ({ latchkey }: ActionApp) => void reviewSendFlow(latchkey),
  openOther: ({ other }: ActionApp) => openModal(other.latchkey),
  closeOther: ({ other }: ActionApp) => closeModal(other.latchkey),
  showToast: ({ latchkey }: ActionApp) => showToast(latchkey, 'Hello'),
  showAlert: ({ latchkey }: ActionApp) => showAlert(latchkey, 'session-expired'),
}
