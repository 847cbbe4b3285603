import { internalsOf } from '@latchkey/core/internal'
import { closeModal, currentEntry, modalOf, prepareModal, type ModalState } from '@latchkey/modal'
import {
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactElement,
  type RefObject,
} from 'react'
import { createPortal } from 'react-dom'
import { useLatchkey, useLatchkeyContext } from '../../../context.ts'
import { useStore } from '../../../useStore.ts'
import { ModalBox } from '../ModalBox.tsx'
import { IsPreparedContext } from '../isPrepared.ts'
import { ModalTexts } from '../ModalTexts.tsx'
import { focusTitle, ShadowRootContext, useShadowRoot } from '../shadowRoot.ts'
import { Notice } from '../Notice.tsx'
import { Toast } from '../Toast.tsx'
import { runWhenIdle } from '../../runWhenIdle.ts'
import { layOutClosed } from './layOutClosed.ts'
import { useDragToDismiss } from './useDragToDismiss.ts'
import { useKeyboardInset } from './useKeyboardInset.ts'
import { useModalRoot } from './useModalRoot.ts'
import { useOwnEvents } from './useOwnEvents.ts'
import { usePaymentTracking } from '../payments/usePaymentTracking.ts'
import { useScrollLock } from './useScrollLock.ts'

/** The time that the last view stays mounted after closing, so that it can fade out. */
const fadeOutMilliseconds = 250
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
  const drawn = useLastOpenState(modal)
  const { key, prepared } = usePreparedState(modal)
  const shown = drawn.open ? drawn : prepares ? prepared : undefined
  const content = useContent(shown, !drawn.open)
  const close = (): void => closeModal(latchkey)
  const drag = useDragToDismiss(card, { isSheet: () => matchMedia(sheetQuery).matches, dismiss: close })

  useLayoutAtIdle(dialog, content?.isPrepared === true)
  // Before the dialog opens: it measures the page twice, which would lay out the open dialog again.
  useScrollLock(modal.open)
  useLayoutEffect(() => {
    if (!modal.open) return dialog.current?.close()
    if (dialog.current?.open === false) dialog.current.showModal()
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

/**
 * Returns the state in which the closed dialog is rendered, so that the first click only shows it. The key changes if the
 * modal opens with another view.
 */
function usePreparedState(modal: ModalState): { key: string; prepared: (ModalState & { open: true }) | undefined } {
  const latchkey = useLatchkey()
  const [key, setKey] = useState<string>()
  // The prepared view depends on whether a wallet is connected.
  const wallet = useStore(latchkey.wallet)
  // oxlint-disable-next-line react/exhaustive-deps -- it reads the state of the wallet
  const state = useMemo(() => prepareModal(latchkey), [latchkey, wallet])
  const prepared = key === undefined ? state : undefined
  if (modal.open && key === undefined) setKey(currentEntry(modal) === prepared?.history[0] ? 'prepared' : 'opened')
  return { key: key ?? 'prepared', prepared }
}

type Content = { modal: ModalState & { open: true }; isPrepared: boolean }

/**
 * Returns what the dialog contains. A prepared view opens as it is, and is rendered with the state of the open modal once the
 * browser has painted it.
 */
function useContent(modal: Content['modal'] | undefined, isPrepared: boolean): Content | undefined {
  const content = useMemo(() => (modal === undefined ? undefined : { modal, isPrepared }), [modal, isPrepared])
  const previous = useDeferredValue(content)
  const opensPrepared =
    content?.isPrepared === false &&
    previous?.isPrepared === true &&
    currentEntry(content.modal) === currentEntry(previous.modal)
  return opensPrepared ? previous : content
}

/** Lays out a prepared dialog while the page is idle. */
function useLayoutAtIdle(dialog: RefObject<HTMLDialogElement | null>, isPrepared: boolean): void {
  const { clock } = internalsOf(useLatchkey())
  useEffect(() => {
    if (!isPrepared) return
    return runWhenIdle(clock, () => dialog.current !== null && layOutClosed(dialog.current))
  }, [clock, dialog, isPrepared])
}

/** Returns the modal's state, and keeps the last open state for a moment after closing. */
function useLastOpenState(modal: ModalState): ModalState {
  const { clock } = internalsOf(useLatchkey())
  const [drawn, setDrawn] = useState(modal)
  if (modal.open && drawn !== modal) setDrawn(modal)
  useEffect(() => {
    if (!modal.open) return clock.after(fadeOutMilliseconds, () => setDrawn({ open: false }))
  }, [clock, modal.open])
  return modal.open ? modal : drawn
}
