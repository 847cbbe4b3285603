import { resetView, type SocialProvider, type Views } from '@latchkey/core'
import { isLatchkeyError } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import type { LoginTexts } from '../../../strings/login/texts.ts'
import { loginPart } from '../../../strings/login/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import type { Strings } from '../../../strings/strings.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { beginSocial } from '../../login/beginLogin.ts'
import { describeLogin } from '../../login/describeLogin.ts'
import type { LoginConnector } from '../../login/loginConnector.ts'
import { openWallet, useLoginStep, type LoginStep } from '../../login/loginStep.ts'
import { LoginView } from '../../login/LoginView.tsx'
import { SocialMark } from '../../login/SocialMark.tsx'
import { socialNames } from '../../login/socialNames.ts'
import { Icon, Standing } from '../../parts.tsx'
import { useSlow } from '../../useSlow.ts'

const view = 'ConnectingSocial'

/** Waits for a provider's window. */
export default function ConnectingSocialView({ provider }: Views['ConnectingSocial']): ReactElement {
  return <LoginView>{(connector) => <Social connector={connector} provider={provider} />}</LoginView>
}

function Social({ connector, provider }: { connector: LoginConnector; provider: SocialProvider }): ReactElement {
  const latchkey = useLatchkey()
  const strings = useStrings()
  const t = usePart(loginPart)
  const step = useLoginStep(view)
  const name = socialNames[provider]
  const isInWindow = step.status === 'working' && step.phase === 'login' && step.open === undefined
  const isSlow = useSlow(isInWindow ? provider : undefined)
  const begin = (): void => void beginSocial(latchkey, connector, provider)
  const press = wayOn(t, step, { name, isSlow, begin, reopen: () => openWallet(latchkey, connector, view) })
  return (
    <>
      <Standing
        wallet={{ name }}
        mark={
          <span className="mark" data-size="large" aria-hidden="true">
            <SocialMark of={provider} size={32} />
          </span>
        }
        {...standingOf(t, strings, step, { name, isSlow })}
      />
      {step.status === 'working' && step.match !== undefined && <p className="hint">{t.windowMatch(step.match)}</p>}
      {press !== undefined && (
        <button
          type="button"
          className="button"
          data-primary={step.status === 'working' && step.open === undefined ? undefined : ''}
          part="primary"
          onClick={press.act}
        >
          <Icon name={press.icon} />
          {press.text}
        </button>
      )}
      {step.status === 'failed' && (
        <button type="button" className="button" onClick={() => resetView(latchkey, { view: 'Connect', params: {} })}>
          {t.otherWay}
        </button>
      )}
    </>
  )
}

type Words = { name: string; isSlow: boolean }

function standingOf(
  t: LoginTexts,
  strings: Strings,
  step: LoginStep,
  { name, isSlow }: Words,
): { state: 'waiting' | 'ready' | 'failed'; headline: string; hint: string } {
  if (step.status === 'idle') return { state: 'ready', headline: t.logInWith(name), hint: t.windowHint(name) }
  if (step.status === 'failed') {
    const isClosed = isLatchkeyError(step.error, 'embedded/popup-closed')
    const headline = isClosed ? t.windowClosed : step.phase === 'wallet' ? t.openFailed : t.socialFailed(name)
    return { state: 'failed', headline, hint: describeLogin(t, strings, step.error) }
  }
  if (step.phase === 'wallet') return { state: 'waiting', headline: t.opening, hint: t.openingHint }
  if (step.open !== undefined) return { state: 'ready', headline: t.windowBlocked, hint: t.windowBlockedHint }
  return { state: 'waiting', headline: t.logInWith(name), hint: isSlow ? t.windowSlow : t.inWindow }
}

type Press = { text: string; icon: 'external' | 'retry'; act(): void }

/** What there is to press; each opens a window in the very task of the press. */
function wayOn(
  t: LoginTexts,
  step: LoginStep,
  { name, isSlow, begin, reopen }: Words & { begin(): void; reopen(): void },
): Press | undefined {
  if (step.status === 'idle') return { text: t.continueWith(name), icon: 'external', act: begin }
  if (step.status === 'failed') {
    return { text: t.tryAgain, icon: 'retry', act: step.phase === 'wallet' ? reopen : begin }
  }
  if (step.open !== undefined) return { text: t.openWindow, icon: 'external', act: step.open }
  return isSlow && step.phase === 'login' ? { text: t.openWindowAgain, icon: 'external', act: begin } : undefined
}
