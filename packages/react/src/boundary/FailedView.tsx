import { closeModal } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../context.ts'
import { useModalMessages } from '../messages/useModalMessages.ts'

/** Takes the place of a view that failed to render. */
export function FailedView({ retry }: { retry(): void }): ReactElement {
  const latchkey = useLatchkey()
  const { modal: t } = useModalMessages()
  return (
    <>
      <p role="alert" className="hint center">
        {t.renderFailed}
      </p>
      <button type="button" className="button" data-primary="" onClick={retry}>
        {t.retry}
      </button>
      <button type="button" className="button" onClick={() => closeModal(latchkey)}>
        {t.close}
      </button>
    </>
  )
}
