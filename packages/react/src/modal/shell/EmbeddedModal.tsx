import { modalOf } from '@latchkey/modal'
import { useEffect, type ReactElement } from 'react'
import { createPortal } from 'react-dom'
import { useLatchkeyContext } from '../../context.ts'
import { useStyles } from '../../styles/useStyles.ts'
import { useStore } from '../../useStore.ts'
import { ModalBox } from './ModalBox.tsx'
import { modalCss } from './modal.css.ts'
import { ModalTexts } from './ModalTexts.tsx'
import { ShadowRootContext } from './shadowRoot.ts'

/** The modal inside the page, in an existing shadow root. */
export function EmbeddedModal({ root }: { root: ShadowRoot }): ReactElement {
  const { latchkey, locale } = useLatchkeyContext()
  const modal = useStore(modalOf(latchkey).state)
  useStyles(modalCss, () => root)
  // A button elsewhere on the page opens the modal, which may be off screen, above all on a phone.
  useEffect(
    () =>
      latchkey.events.subscribe(({ type }) => {
        if (type === 'modal-open') root.host.scrollIntoView({ block: 'nearest' })
      }),
    [latchkey, root],
  )
  return createPortal(
    <ShadowRootContext.Provider value={root}>
      <ModalTexts>
        <section className="frame embed" lang={locale} aria-labelledby="title">
          {modal.open && <ModalBox modal={modal} embedded />}
        </section>
      </ModalTexts>
    </ShadowRootContext.Provider>,
    root,
  )
}
