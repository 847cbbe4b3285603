import { closeModal, modalOf, type ModalState } from '@latchkey/modal'
import { useLayoutEffect, useRef, type ReactElement } from 'react'
import { createPortal } from 'react-dom'
import { useLatchkey, useLatchkeyContext } from '../../../context.ts'
import { useStore } from '../../../useStore.ts'
import { ModalBox } from '../ModalBox.tsx'
import { IsPreparedContext } from '../isPrepared.ts'
import { ModalTexts } from '../ModalTexts.tsx'
import { focusTitle, ShadowRootContext, useShadowRoot } from '../shadowRoot.ts'
import { Notice } from '../Notice.tsx'
import { Toast } from '../Toast.tsx'
import { useDialogContent } from './useDialogContent.ts'
import { useLayoutAtIdle } from './useLayoutAtIdle.ts'
import { useDragToDismiss } from './useDragToDismiss.ts'
import { useKeyboardInset } from './useKeyboardInset.ts'
import { useModalRoot } from './useModalRoot.ts'
import { useOwnEvents } from './useOwnEvents.ts'
import { usePaymentTracking } from '../payments/usePaymentTracking.ts'
import { useScrollLock } from './useScrollLock.ts'

const sheetQuery = '(max-width: 429px)'

/** The modal above the page. */
export function FloatingModal(): ReactElement {
  const { latchkey, theme, locale, direction } = useLatchkeyContext()
  const root = useModalRoot(theme, direction)
  const modal = useStore(modalOf(latchkey).state)
  const embeds = useStore(modalOf(latchkey).embeds)
  const isOpen = modal.open && embeds === 0
  usePaymentTracking()
  return createPortal(
    <ShadowRootContext.Provider value={root}>
      <ModalTexts>
        <div className="frame" lang={locale}>
          <Dialog modal={isOpen ? modal : { open: false }} prepares={embeds === 0} />
          {!isOpen && <Toast />}
          {!isOpen && embeds === 0 && <Notice />}
        </div>
      </ModalTexts>
    </ShadowRootContext.Provider>,
    root,
  )
}

/** A native dialog that stays mounted, because a removed dialog does not restore the focus. */
function Dialog({ modal, prepares }: { modal: ModalState; prepares: boolean }): ReactElement {
  const latchkey = useLatchkey()
  const root = useShadowRoot()
  const dialog = useRef<HTMLDialogElement>(null)
  const card = useRef<HTMLDivElement>(null)
  const { key, content } = useDialogContent(modal, prepares)
  const close = (): void => closeModal(latchkey)
  const drag = useDragToDismiss(card, { isSheet: () => matchMedia(sheetQuery).matches, dismiss: close })

  useLayoutAtIdle(dialog, content?.isPrepared === true)
  // Before the dialog opens: it measures the page twice, which would lay out the open dialog again.
  useScrollLock(modal.open)
  useLayoutEffect(() => {
    if (!modal.open) return dialog.current?.close()
    if (dialog.current?.open === false) showFromTop(dialog.current)
    focusTitle(root)
  }, [root, modal.open])
  useKeyboardInset(dialog, modal.open)
  useOwnEvents(root, modal.open)

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape does the same for the keyboard
    <dialog
      ref={dialog}
      part="dialog"
      aria-labelledby="title"
      {...drag}
      // The dialog covers the screen. Clicks outside the modal's box reach the dialog itself.
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // The browser would close the dialog even if the view requires a decision.
        event.preventDefault()
        close()
      }}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      {content !== undefined && (
        <IsPreparedContext.Provider value={content.isPrepared}>
          <ModalBox key={key} elementRef={card} modal={content.modal} />
        </IsPreparedContext.Provider>
      )}
      {modal.open && <Toast />}
    </dialog>
  )
}

/** Shows a dialog. The browser scrolls to what it focuses, which is below the screen until the sheet has slid in. */
function showFromTop(dialog: HTMLDialogElement): void {
  dialog.showModal()
  dialog.scrollTop = 0
}
