import { internalsOf } from '@latchkey/core/internal'
import { modalOf } from '@latchkey/modal'
import { loginMessages } from '@latchkey/modal/messages'
import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { beginFarcasterLogin } from '../../../login/social/beginSocialLogin.ts'
import type { LoginConnector } from '../../../login/loginConnector.ts'
import { openWallet, statusOf, useLoginStep } from '../../../login/loginStep.ts'
import { LoginFailed, LoginView, OpeningWallet } from '../../../login/LoginView.tsx'
import { SocialMark } from '../../../login/social/SocialMark.tsx'
import { socialNames } from '../../../login/social/socialNames.ts'
import { CopyLink } from '../../../pairing/CopyLink.tsx'
import { QrCode } from '../../../pairing/QrCode.tsx'
import { Icon, StatusPanel } from '../../../parts/index.tsx'
import { useSlow } from '../../../timing/useSlow.ts'

const view = 'ConnectingFarcaster'
const wallet = { name: socialNames.farcaster }

/** Logs in with the Farcaster app: with a QR code on another device, or a link on this one. */
export default function ConnectingFarcasterView(): ReactElement {
  return <LoginView>{(connector) => <Farcaster connector={connector} />}</LoginView>
}

function Farcaster({ connector }: { connector: LoginConnector }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(loginMessages)
  const step = useLoginStep(view)
  const { url } = useStore(modalOf(latchkey).farcasterUrl)
  useEffect(() => {
    if (statusOf(latchkey, view) === 'idle') beginFarcasterLogin(latchkey, connector)
  }, [latchkey, connector])
  if (step.status === 'failed') {
    const isWallet = step.phase === 'wallet'
    return (
      <LoginFailed
        wallet={isWallet ? connector : wallet}
        headline={isWallet ? t.openFailed : t.socialFailed({ provider: wallet.name })}
        error={step.error}
        retry={isWallet ? t.tryAgain : t.newFarcaster}
        onRetry={() => (isWallet ? openWallet(latchkey, connector, view) : beginFarcasterLogin(latchkey, connector))}
      />
    )
  }
  if (step.status === 'working' && step.phase === 'wallet') return <OpeningWallet connector={connector} />
  return internalsOf(latchkey).settings.isMobile() ? <Open url={url} /> : <Scan url={url} />
}

/** On a desktop: a QR code, and a button that copies its link. */
function Scan({ url }: { url: string | undefined }): ReactElement {
  const { pairing } = useModalMessages()
  const t = useFlowMessages(loginMessages)
  const isSlow = useSlow(url)
  return (
    <>
      <QrCode text={url} label={t.farcasterCode} dimmed={false}>
        <span className="mark">
          <SocialMark of="farcaster" size={28} />
        </span>
      </QrCode>
      <div className="pairing-words">
        <p className="hint" role="status">
          {url === undefined ? pairing.preparing : isSlow ? t.farcasterSlow : t.farcasterScan}
        </p>
      </div>
      <CopyLink uri={url} />
    </>
  )
}

/** On a phone: a link that opens the app. */
function Open({ url }: { url: string | undefined }): ReactElement {
  const { pairing } = useModalMessages()
  const t = useFlowMessages(loginMessages)
  const [taps, setTaps] = useState(0)
  const isSlow = useSlow(taps === 0 ? undefined : `${url} ${taps}`)
  const hint = taps === 0 ? t.farcasterOpenHint : isSlow ? t.farcasterSlow : pairing.waiting
  return (
    <>
      <StatusPanel
        wallet={wallet}
        mark={
          <span className="mark" data-size="large" aria-hidden="true">
            <SocialMark of="farcaster" size={32} />
          </span>
        }
        state={taps === 0 ? 'ready' : 'waiting'}
        headline={t.logInWith({ provider: wallet.name })}
        hint={url === undefined ? pairing.preparing : hint}
      />
      <CopyLink uri={url} />
      <a
        className="button"
        data-primary=""
        part="primary"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        aria-disabled={url === undefined}
        onClick={() => setTaps(taps + 1)}
      >
        {pairing.open({ wallet: wallet.name })}
        <Icon name="external" />
      </a>
    </>
  )
}
