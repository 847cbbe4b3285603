import type { SocialProvider } from '@latchkey/core'
import { resetView, type Views } from '@latchkey/modal'
import { loginMessages, type LoginMessages } from '@latchkey/modal/messages'
import { isLatchkeyError } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import type { Strings } from '../../../../messages/strings.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { beginSocialLogin } from '../../../login/social/beginSocialLogin.ts'
import { describeLogin } from '../../../login/describeLogin.ts'
import type { LoginConnector } from '../../../login/loginConnector.ts'
import { openWallet, useLoginStep, type LoginStep } from '../../../login/loginStep.ts'
import { LoginView } from '../../../login/LoginView.tsx'
import { SocialMark } from '../../../login/social/SocialMark.tsx'
import { socialNames } from '../../../login/social/socialNames.ts'
import { Icon, StatusPanel } from '../../../parts/index.tsx'
import { useSlow } from '../../../timing/useSlow.ts'

const view = 'ConnectingSocial'

/** Waits for the window of a provider. */
export default function ConnectingSocialView({ provider }: Views['ConnectingSocial']): ReactElement {
  return <LoginView>{(connector) => <Social connector={connector} provider={provider} />}</LoginView>
}

function Social({ connector, provider }: { connector: LoginConnector; provider: SocialProvider }): ReactElement {
  const latchkey = useLatchkey()
  const strings = useModalMessages()
  const t = useFlowMessages(loginMessages)
  const step = useLoginStep(view)
  const name = socialNames[provider]
  const isInWindow = step.status === 'working' && step.phase === 'login' && step.open === undefined
  const isSlow = useSlow(isInWindow ? provider : undefined)
  const begin = (): void => void beginSocialLogin(latchkey, connector, provider)
  const press = nextAction(t, step, { name, isSlow, begin, reopen: () => openWallet(latchkey, connector, view) })
  return (
    <>
      <StatusPanel
        wallet={{ name }}
        mark={
          <span className="mark" data-size="large" aria-hidden="true">
            <SocialMark of={provider} size={32} />
          </span>
        }
        {...statusProps(t, strings, step, { name, isSlow })}
      />
      {step.status === 'working' && step.match !== undefined && (
        <p className="hint">{t.windowDigits({ digits: step.match })}</p>
      )}
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

type SocialTexts = { name: string; isSlow: boolean }

function statusProps(
  t: LoginMessages,
  strings: Strings,
  step: LoginStep,
  { name, isSlow }: SocialTexts,
): { state: 'waiting' | 'ready' | 'failed'; headline: string; hint: string } {
  if (step.status === 'idle')
    return { state: 'ready', headline: t.logInWith({ provider: name }), hint: t.windowHint({ provider: name }) }
  if (step.status === 'failed') {
    const isClosed = isLatchkeyError(step.error, 'embedded/popup-closed')
    const headline = isClosed
      ? t.windowClosed
      : step.phase === 'wallet'
        ? t.openFailed
        : t.socialFailed({ provider: name })
    return { state: 'failed', headline, hint: describeLogin(t, strings, step.error) }
  }
  if (step.phase === 'wallet') return { state: 'waiting', headline: t.opening, hint: t.openingHint }
  if (step.open !== undefined) return { state: 'ready', headline: t.windowBlocked, hint: t.windowBlockedHint }
  return {
    state: 'waiting',
    headline: t.logInWith({ provider: name }),
    hint: isSlow ? t.windowSlow : t.connectInWindow,
  }
}

type Press = { text: string; icon: 'external' | 'retry'; act(): void }

/** The buttons of the current state. Each opens its window within the click. */
function nextAction(
  t: LoginMessages,
  step: LoginStep,
  { name, isSlow, begin, reopen }: SocialTexts & { begin(): void; reopen(): void },
): Press | undefined {
  if (step.status === 'idle') return { text: t.continueWith({ provider: name }), icon: 'external', act: begin }
  if (step.status === 'failed') {
    return { text: t.tryAgain, icon: 'retry', act: step.phase === 'wallet' ? reopen : begin }
  }
  if (step.open !== undefined) return { text: t.openWindow, icon: 'external', act: step.open }
  return isSlow && step.phase === 'login' ? { text: t.openWindowAgain, icon: 'external', act: begin } : undefined
}
