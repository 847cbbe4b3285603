import { shortenAddress, signIn, type AccountType, type SignInState } from '@latchkey/core'
import { dismissSignIn, resetView, showToast } from '@latchkey/modal'
import { isLatchkeyError } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import type { Strings } from '../../../../messages/strings.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { describeFailure } from '../../../describeFailure.ts'
import { Mark } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { useSlow } from '../../../timing/useSlow.ts'
import { signInCss } from './signIn.css.ts'

/** Asks the user to sign in, and waits for the wallet. */
export default function SignInView(): ReactElement {
  useViewStyles(signInCss)
  const latchkey = useLatchkey()
  const strings = useModalMessages()
  const { signIn: t } = strings
  const state = useStore(latchkey.signIn)
  const account = useAccount()
  const isSigning = state.status === 'signing'
  const isSlow = useSlow(isSigning ? state.account : undefined)
  const error = state.status === 'unsigned' ? state.error : undefined
  // The toast of a declined signature is announced separately.
  const isNews = error !== undefined && !isLatchkeyError(error, 'request/rejected')
  if (account.status !== 'connected') return <ConnectFirst />

  const { wallet, address, network, type } = account
  const { host, icon } = describeSite()
  const texts = textsOf(strings, state, { site: host, wallet: wallet.name, isSlow, type })
  const sign = (): void => {
    // The view shows the failure.
    if (!isSigning) signIn(latchkey).catch(() => {})
  }
  const cancel = (): void => {
    dismissSignIn(latchkey).catch((reason: unknown) =>
      showToast(latchkey, describeFailure(strings, reason), { variant: 'error' }),
    )
  }
  return (
    <>
      <div className="sign-in">
        <div className="pair" data-waiting={isSigning ? '' : undefined}>
          <Mark name={host} icon={icon} size="large" />
          <Mark name={wallet.name} icon={wallet.icon} size="large" />
        </div>
        <div className="prompt" role={isNews ? 'alert' : 'status'}>
          <p className="headline">{texts.headline}</p>
          <p className="hint">{texts.hint}</p>
        </div>
        <p className="who figures">{`${shortenAddress(address)} · ${network.name}`}</p>
      </div>
      <div className="buttons">
        <button type="button" className="button" data-testid="latchkey-sign-in-cancel" onClick={cancel}>
          {state.status === 'signed' ? t.done : t.cancel}
        </button>
        {state.status !== 'signed' && (
          <button
            type="button"
            className="button"
            part="primary"
            data-primary=""
            data-testid="latchkey-sign-in-sign"
            aria-disabled={isSigning}
            onClick={sign}
          >
            {isSigning ? t.signing : t.sign}
          </button>
        )}
      </div>
    </>
  )
}

/** Shown if no wallet is connected. */
function ConnectFirst(): ReactElement {
  const latchkey = useLatchkey()
  const { signIn: t } = useModalMessages()
  return (
    <>
      <p className="hint center">{t.connectFirst}</p>
      <button
        type="button"
        className="button"
        part="primary"
        data-primary=""
        onClick={() => resetView(latchkey, { view: 'Connect', params: {} })}
      >
        {t.connect}
      </button>
    </>
  )
}

/** Returns the texts of the current state. */
function textsOf(
  strings: Strings,
  state: SignInState,
  { site, wallet, isSlow, type }: { site: string; wallet: string; isSlow: boolean; type: AccountType | undefined },
): { headline: string; hint: string } {
  const { signIn: t } = strings
  const explain = t.explain({ wallet })
  if (state.status === 'signed') return { headline: t.signed, hint: '' }
  if (state.status === 'signing')
    return { headline: t.approve({ wallet }), hint: isSlow ? t.slow({ wallet }) : explain }
  const error = state.status === 'unsigned' ? state.error : undefined
  if (isLatchkeyError(error, 'request/rejected'))
    return { headline: t.signInDeclined, hint: t.declinedHint({ wallet }) }
  if (error !== undefined) {
    const isSmart = type === 'smartAccount' && isLatchkeyError(error, 'sign-in/refused')
    const hint = describeFailure(strings, error)
    return { headline: t.failedTitle, hint: isSmart ? `${t.smartRefused} ${hint}` : hint }
  }
  const isRequired = state.status !== 'off' && state.required
  return { headline: t.headline({ site }), hint: `${explain} ${isRequired ? t.required : t.optional}` }
}

/** Returns the host of the page, as it is in the signed message. */
function describeSite(): { host: string; icon: string | undefined } {
  const icon = document.querySelector<HTMLLinkElement>('link[rel~="icon"]')?.href
  return { host: location.host, icon: icon === undefined || icon === '' ? undefined : icon }
}
