import { modalOf } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { createPortal } from 'react-dom'
import { useSurroundings } from '../../context.ts'
import { useStyles } from '../../styles/useStyles.ts'
import { useStore } from '../../useStore.ts'
import { Card } from './Card.tsx'
import { modalCss } from './modal.css.ts'
import { ModalTexts } from './ModalTexts.tsx'
import { ShadowRootContext } from './shadowRoot.ts'

/** The modal inside the page, in an existing shadow root. */
export function EmbeddedModal({ root }: { root: ShadowRoot }): ReactElement {
  const { latchkey, locale } = useSurroundings()
  const modal = useStore(modalOf(latchkey).state)
  useStyles(modalCss, () => root)
  return createPortal(
    <ShadowRootContext value={root}>
      <ModalTexts>
        <section className="frame embed" lang={locale} aria-labelledby="title">
          {modal.open && <Card modal={modal} embedded />}
        </section>
      </ModalTexts>
    </ShadowRootContext>,
    root,
  )
}
