import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { loginPart } from '../../../strings/login/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { useStrings } from '../../../strings/useStrings.ts'
import { useStore } from '../../../useStore.ts'
import { beginFarcaster } from '../../login/beginLogin.ts'
import type { LoginConnector } from '../../login/loginConnector.ts'
import { openWallet, statusOf, useLoginStep } from '../../login/loginStep.ts'
import { LoginFailed, LoginView, OpeningWallet } from '../../login/LoginView.tsx'
import { SocialMark } from '../../login/SocialMark.tsx'
import { socialNames } from '../../login/socialNames.ts'
import { CopyLink } from '../../pairing/CopyLink.tsx'
import { QrCode } from '../../pairing/QrCode.tsx'
import { Icon, Standing } from '../../parts.tsx'
import { useSlow } from '../../useSlow.ts'

const view = 'ConnectingFarcaster'
const wallet = { name: socialNames.farcaster }

/** A link to approve in a Farcaster app: to scan from another screen, or to open on this one. */
export default function ConnectingFarcasterView(): ReactElement {
  return <LoginView>{(connector) => <Farcaster connector={connector} />}</LoginView>
}

function Farcaster({ connector }: { connector: LoginConnector }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(loginPart)
  const step = useLoginStep(view)
  const { url } = useStore(latchkey.farcasterUrl)
  useEffect(() => {
    if (statusOf(latchkey, view) === 'idle') beginFarcaster(latchkey, connector)
  }, [latchkey, connector])
  if (step.status === 'failed') {
    const isWallet = step.phase === 'wallet'
    return (
      <LoginFailed
        wallet={isWallet ? connector : wallet}
        headline={isWallet ? t.openFailed : t.socialFailed(wallet.name)}
        error={step.error}
        retry={isWallet ? t.tryAgain : t.newFarcaster}
        onRetry={() => (isWallet ? openWallet(latchkey, connector, view) : beginFarcaster(latchkey, connector))}
      />
    )
  }
  if (step.status === 'working' && step.phase === 'wallet') return <OpeningWallet connector={connector} />
  return latchkey.settings.isMobile() ? <Open url={url} /> : <Scan url={url} />
}

/** On a desk: a code to scan, and the same link to copy. */
function Scan({ url }: { url: string | undefined }): ReactElement {
  const { pairing } = useStrings()
  const t = usePart(loginPart)
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

/** On a phone: the app is on the same device. */
function Open({ url }: { url: string | undefined }): ReactElement {
  const { pairing } = useStrings()
  const t = usePart(loginPart)
  const [taps, setTaps] = useState(0)
  const isSlow = useSlow(taps === 0 ? undefined : `${url} ${taps}`)
  const hint = taps === 0 ? t.farcasterOpenHint : isSlow ? t.farcasterSlow : pairing.waiting
  return (
    <>
      <Standing
        wallet={wallet}
        mark={
          <span className="mark" data-size="large" aria-hidden="true">
            <SocialMark of="farcaster" size={32} />
          </span>
        }
        state={taps === 0 ? 'ready' : 'waiting'}
        headline={t.logInWith(wallet.name)}
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
        {pairing.open(wallet.name)}
        <Icon name="external" />
      </a>
    </>
  )
}
