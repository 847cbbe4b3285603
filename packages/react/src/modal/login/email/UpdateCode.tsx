import { goBack, type ViewName } from '@latchkey/modal'
import { loginMessages } from '@latchkey/modal/messages'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useFlowMessages } from '../../../messages/useFlowMessages.ts'
import { CodeForm } from './CodeForm.tsx'
import type { LoginConnector } from '../loginConnector.ts'
import { takeStep } from '../loginStep.ts'

type UpdateCodeProps = {
  connector: LoginConnector
  view: ViewName
  email: string
  /** Checks the code, and shows the next view. */
  check(code: string, signal: AbortSignal): Promise<void>
}

/** Asks for one of the two codes that change an address. Another code cannot be requested, but users can start over. */
export function UpdateCode({ connector, view, email, check }: UpdateCodeProps): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(loginMessages)
  return (
    <CodeForm
      view={view}
      connector={connector}
      email={email}
      onCode={(code) =>
        void takeStep(latchkey, connector, view, async (signal) => {
          await check(code, signal)
          return false
        })
      }
    >
      <p className="again">
        <span>{t.somethingWrong}</span>
        <button type="button" className="link" onClick={() => goBack(latchkey)}>
          {t.startOver}
        </button>
      </p>
    </CodeForm>
  )
}
