import { showToast } from '@latchkey/core'
import { useId, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { loginPart } from '../../strings/login/texts.ts'
import { usePart } from '../../strings/part.tsx'
import { useStrings } from '../../strings/useStrings.ts'
import { Icon } from '../parts.tsx'
import { describeLogin } from './describeLogin.ts'
import { useLoginState, type LoginConnector } from './loginConnector.ts'

/**
 * The way from one kind of account to the other. It changes the address, so it never happens without a word: what it
 * means is said first, and it is done by another press.
 */
export function KindSwitch({ connector }: { connector: LoginConnector }): ReactElement | null {
  const latchkey = useLatchkey()
  const strings = useStrings()
  const t = usePart(loginPart)
  const id = useId()
  const { accountType } = useLoginState(connector.login)
  const [isAsked, setIsAsked] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  if (accountType === undefined) return null
  const other = accountType === 'eoa' ? 'smartAccount' : 'eoa'
  const change = async (): Promise<void> => {
    setIsBusy(true)
    try {
      await connector.login.setAccountType(other)
      showToast(latchkey, t.switched)
      setIsAsked(false)
    } catch (error) {
      showToast(latchkey, describeLogin(t, strings, error), { variant: 'error' })
    }
    setIsBusy(false)
  }
  return (
    <section className="group" aria-labelledby={`${id}-kind`}>
      <h2 id={`${id}-kind`}>{t.kind}</h2>
      <button
        type="button"
        className="row"
        part="row"
        aria-expanded={isAsked}
        aria-controls={isAsked ? `${id}-ask` : undefined}
        onClick={() => setIsAsked(!isAsked)}
      >
        <span className="mark" aria-hidden="true">
          <Icon name="turn" />
        </span>
        <span className="text">
          <span className="name">{t.kinds[accountType]}</span>
          <span className="sub">{t.switchTo[other]}</span>
        </span>
        <Icon name="chevron" />
      </button>
      {isAsked && (
        <div id={`${id}-ask`} className="asked" ref={seen}>
          <p className="hint">{t.switchHint}</p>
          {other === 'smartAccount' && (
            <p className="hint warned">
              <Icon name="warn" />
              {t.smartWarning}
            </p>
          )}
          <button
            type="button"
            className="button"
            data-primary=""
            aria-busy={isBusy}
            aria-disabled={isBusy}
            onClick={() => void (isBusy || change())}
          >
            {t.switch}
          </button>
        </div>
      )}
    </section>
  )
}

/** What was asked for is not left below the edge. */
function seen(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
