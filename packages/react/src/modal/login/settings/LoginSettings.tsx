import { pushView, showToast } from '@latchkey/modal'
import { loginMessages } from '@latchkey/modal/messages'
import { isLatchkeyError } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { FlowMessages } from '../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../messages/useModalMessages.ts'
import { Icon, Row, type IconName } from '../../parts/index.tsx'
import { useViewStyles } from '../../shell/shadowRoot.ts'
import { describeLogin } from '../describeLogin.ts'
import { EmailText } from '../email/EmailText.tsx'
import { AccountTypeSwitch } from './AccountTypeSwitch.tsx'
import { loginCss } from '../login.css.ts'
import { useLoginState, type LoginConnector } from '../loginConnector.ts'
import { getLoginName } from './getLoginName.ts'
import { socialNames } from '../social/socialNames.ts'
import { SocialMark } from '../social/SocialMark.tsx'

/** The settings of a login: the account, the keys and the account type. */
export function LoginSettings({ connector }: { connector: LoginConnector }): ReactElement {
  useViewStyles(loginCss)
  return (
    <FlowMessages chunk={loginMessages}>
      <LoginRow connector={connector} />
      <AccountTypeSwitch connector={connector} />
      <Security connector={connector} />
    </FlowMessages>
  )
}

/** The login of the user. An email address can be changed, a social account cannot. */
function LoginRow({ connector }: { connector: LoginConnector }): ReactElement | null {
  const latchkey = useLatchkey()
  const t = useFlowMessages(loginMessages)
  const { user } = useLoginState(connector.login)
  const name = user === undefined ? undefined : getLoginName(user)
  if (user === undefined || name === undefined) return null
  const mark = (
    <span className="mark" aria-hidden="true">
      <SocialMark of={user.social ?? 'email'} />
    </span>
  )
  if (user.social === undefined) {
    return (
      <ul className="rows">
        <Row
          mark={mark}
          name={<EmailText text={name} />}
          sub={t.email}
          end="forward"
          onChoose={() => pushView(latchkey, { view: 'UpdateEmail', params: {} })}
        />
      </ul>
    )
  }
  return (
    <div className="row" part="row">
      {mark}
      <span className="text">
        <span className="name">
          <EmailText text={name} />
        </span>
        <span className="sub">{t.socialAccount({ provider: socialNames[user.social] })}</span>
      </span>
    </div>
  )
}

/** Links to the wallet's own screens and pages. */
function Security({ connector }: { connector: LoginConnector }): ReactElement {
  const latchkey = useLatchkey()
  const strings = useModalMessages()
  const t = useFlowMessages(loginMessages)
  const { login } = connector
  const open = async (screen: 'recovery' | 'devices' | 'policy'): Promise<void> => {
    try {
      await login.openScreen(screen)
    } catch (error) {
      // A user who closed the screen needs no notice.
      if (isLatchkeyError(error, 'request/rejected') || isLatchkeyError(error, 'connection/aborted')) return
      showToast(latchkey, describeLogin(t, strings, error), { variant: 'error' })
    }
  }
  return (
    <section className="group" aria-labelledby="security">
      <h2 id="security">{t.security}</h2>
      <ul className="rows">
        <Row
          mark={<Drawn icon="key" />}
          name={t.recovery}
          sub={t.recoveryHint}
          end="forward"
          onChoose={() => void open('recovery')}
        />
        <Row
          mark={<Drawn icon="grid" />}
          name={t.devices}
          sub={t.devicesHint}
          end="forward"
          onChoose={() => void open('devices')}
        />
        <Row
          mark={<Drawn icon="check" />}
          name={t.rules}
          sub={t.rulesHint}
          end="forward"
          onChoose={() => void open('policy')}
        />
        <Page mark="external" name={t.export} sub={t.exportHint} href={login.pages.export} />
        <Page mark="warn" name={t.remove} sub={t.removeHint} href={login.pages.account} />
      </ul>
      <p className="hint custody">
        {t.custody}{' '}
        <a href={`${login.pages.account}#keys`} target="_blank" rel="noopener noreferrer">
          {t.custodyMore} <span className="hidden">{t.newTab}</span>
        </a>
      </p>
    </section>
  )
}

function Drawn({ icon }: { icon: IconName }): ReactElement {
  return (
    <span className="mark" aria-hidden="true">
      <Icon name={icon} />
    </span>
  )
}

/** A link to a page that must not be framed, so it opens in a tab. */
function Page({ mark, name, sub, href }: { mark: IconName; name: string; sub: string; href: string }): ReactElement {
  const t = useFlowMessages(loginMessages)
  return (
    <li>
      <a className="row page" part="row" href={href} target="_blank" rel="noopener noreferrer">
        <Drawn icon={mark} />
        <span className="text">
          <span className="name">{name}</span>
          <span className="sub">{sub}</span>
        </span>
        <span className="hidden">{t.newTab}</span>
        <Icon name="external" />
      </a>
    </li>
  )
}
