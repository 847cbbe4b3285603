import { goBack, type ViewName } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { loginPart } from '../../strings/login/texts.ts'
import { usePart } from '../../strings/part.tsx'
import { CodeForm } from './CodeForm.tsx'
import type { LoginConnector } from './loginConnector.ts'
import { takeStep } from './loginStep.ts'

type UpdateCodeProps = {
  connector: LoginConnector
  view: ViewName
  email: string
  /** Has the code checked, and goes on. */
  check(code: string, signal: AbortSignal): Promise<void>
}

/** One of the two codes of changing an address: there is no other mail to ask for, but one can start over. */
export function UpdateCode({ connector, view, email, check }: UpdateCodeProps): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(loginPart)
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
        <span>{t.wrong}</span>
        <button type="button" className="link" onClick={() => goBack(latchkey)}>
          {t.startOver}
        </button>
      </p>
    </CodeForm>
  )
}
