import { pushView, showToast } from '@latchkey/core'
import { isLatchkeyError } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { loginPart } from '../../strings/login/texts.ts'
import { Spoken, usePart } from '../../strings/part.tsx'
import { useStrings } from '../../strings/useStrings.ts'
import { Icon, Row, type IconName } from '../parts.tsx'
import { useViewStyles } from '../shadowRoot.ts'
import { describeLogin } from './describeLogin.ts'
import { EmailText } from './EmailText.tsx'
import { KindSwitch } from './KindSwitch.tsx'
import { loginCss } from './login.css.ts'
import { useLoginState, type LoginConnector } from './loginConnector.ts'
import { loginName } from './loginName.ts'
import { socialNames } from './socialNames.ts'
import { SocialMark } from './SocialMark.tsx'

/** What there is to look after where an account is behind a login: the login, the keys, and the kind of account. */
export function LoginSettings({ connector }: { connector: LoginConnector }): ReactElement {
  useViewStyles(loginCss)
  return (
    <Spoken part={loginPart}>
      <Who connector={connector} />
      <KindSwitch connector={connector} />
      <Security connector={connector} />
    </Spoken>
  )
}

/** By which login: an address can be changed, another's account cannot. */
function Who({ connector }: { connector: LoginConnector }): ReactElement | null {
  const latchkey = useLatchkey()
  const t = usePart(loginPart)
  const { user } = useLoginState(connector.login)
  const name = user === undefined ? undefined : loginName(user)
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
        <span className="sub">{t.socialAccount(socialNames[user.social])}</span>
      </span>
    </div>
  )
}

/** The wallet's own screens, and its own pages. */
function Security({ connector }: { connector: LoginConnector }): ReactElement {
  const latchkey = useLatchkey()
  const strings = useStrings()
  const t = usePart(loginPart)
  const { login } = connector
  const open = async (screen: 'recovery' | 'devices'): Promise<void> => {
    try {
      await login.openScreen(screen)
    } catch (error) {
      // Whoever closed it himself knows.
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

/** A page that is nobody's frame, so that it has a tab of its own. */
function Page({ mark, name, sub, href }: { mark: IconName; name: string; sub: string; href: string }): ReactElement {
  const t = usePart(loginPart)
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
