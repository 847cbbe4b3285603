export { isLatchkeyError } from '@latchkey/protocol'
export { attachModal } from './attachModal.ts'
export { modalOf, type Modal, type OutcomeReporter } from './modal.ts'
export type { ModalEventPayloads } from './modalEvents.ts'
export { finishConnecting } from './flows/finishConnecting.ts'
export type { FormatAmounts } from './flows/createOutcomeReporter.ts'
export { followPayments, type FollowPaymentsOptions } from './flows/followPayments.ts'
export { confirmSend, openSendFlow, reviewSendFlow } from './flows/sendFlow.ts'
export { leaveReview } from './flows/leaveReview.ts'
export { replaceWithNotices, type ReplaceOptions } from './flows/replaceWithNotices.ts'
export { revokeWithNotices, type RevokeOptions } from './flows/revokeWithNotices.ts'
export { formatSendNotice, type FormatSendNotice, type SendNotice } from './flows/sendNotice.ts'
export { dismissSignIn } from './flows/dismissSignIn.ts'
export { confirmApproval, confirmSwap, openSwapFlow, reviewSwapFlow, type SwapNotices } from './flows/swapFlow.ts'
export { reasonText, type Reasons } from './messages/reasonText.ts'
export { abandonModal } from './navigation/abandonModal.ts'
export { currentEntry, type Direction, type ModalState } from './navigation/modalState.ts'
export {
  closeModal,
  dismissModal,
  embedModal,
  goBack,
  modalReady,
  openModal,
  prepareModal,
  pushView,
  replaceView,
  requestedNamespace,
  resetView,
  type OpenOptions,
} from './navigation/openModal.ts'
export type { ViewEntry, ViewName, Views } from './navigation/views.ts'
export type { AlertCode, AlertState } from './notices/alertState.ts'
export { dismissAlert, showAlert } from './notices/alerts.ts'
export { hideToast, showPendingToast, showToast, type ToastOptions } from './notices/showToast.ts'
export type { RenderErrorPayload, RenderFailure } from './notices/emitRenderError.ts'
export { reportRenderError } from './notices/reportRenderError.ts'
export type { StandardNotice, ToastLink, ToastState } from './notices/toastState.ts'
export { abandonPairing } from './pairing/abandonPairing.ts'
export { pair, showPairingUri } from './pairing/pair.ts'
export type { PairingState } from './pairing/pairingState.ts'
