import { showToast } from '@latchkey/modal'
import { loginMessages } from '@latchkey/modal/messages'
import { useId, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useFlowMessages } from '../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../messages/useModalMessages.ts'
import { Icon } from '../../parts/index.tsx'
import { describeLogin } from '../describeLogin.ts'
import { useLoginState, type LoginConnector } from '../loginConnector.ts'

/**
 * Switches between the standard and the smart account. The switch changes the address, so it is explained first and
 * takes a second click.
 */
export function AccountTypeSwitch({ connector }: { connector: LoginConnector }): ReactElement | null {
  const latchkey = useLatchkey()
  const strings = useModalMessages()
  const t = useFlowMessages(loginMessages)
  const id = useId()
  const { accountType } = useLoginState(connector.login)
  const [isOpen, setIsOpen] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  if (accountType === undefined) return null
  const other = accountType === 'eoa' ? 'smartAccount' : 'eoa'
  const change = async (): Promise<void> => {
    setIsBusy(true)
    try {
      await connector.login.setAccountType(other)
      showToast(latchkey, t.switched)
      setIsOpen(false)
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
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-ask` : undefined}
        onClick={() => setIsOpen(!isOpen)}
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
      {isOpen && (
        <SwitchConfirmation id={`${id}-ask`} warns={other === 'smartAccount'} isBusy={isBusy} onConfirm={change} />
      )}
    </section>
  )
}

type SwitchConfirmationProps = { id: string; warns: boolean; isBusy: boolean; onConfirm(): Promise<void> }

/** Explains the switch, and asks for a second click. */
function SwitchConfirmation({ id, warns, isBusy, onConfirm }: SwitchConfirmationProps): ReactElement {
  const t = useFlowMessages(loginMessages)
  return (
    <div id={id} className="confirmation" ref={scrollIntoView}>
      <p className="hint">{t.switchHint}</p>
      {warns && (
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
        onClick={() => void (isBusy || onConfirm())}
      >
        {t.switch}
      </button>
    </div>
  )
}

/** The confirmation may open below the edge of the modal. */
function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
