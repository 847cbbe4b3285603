import { importToken, type SendToken } from '@latchkey/core/money'
import { showToast } from '@latchkey/modal'
import { tokensMessages } from '@latchkey/modal/messages'
import { useState, type ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../context.ts'
import { FlowMessages } from '../../messages/FlowMessages.tsx'
import { quantityText } from '../../messages/quantityText.ts'
import { useFlowMessages } from '../../messages/useFlowMessages.ts'
import { Mark, SkeletonRows } from '../parts/index.tsx'
import { WholeAddress } from '../views/send/walletSend/WholeAddress.tsx'
import type { TokenLookup } from './useTokenLookup.ts'
import { Warnings } from './Warnings.tsx'

type FoundTokenProps = {
  found: TokenLookup
  /** The symbols of the tokens that the user already sees. */
  symbols: readonly string[]
  /** Called once the token is imported. */
  onImport(token: SendToken): void
}

/** The token at an entered address: what its contract claims, a warning, and the button that imports it. */
export function FoundToken(props: FoundTokenProps): ReactElement | null {
  if (props.found === undefined) return null
  return (
    <FlowMessages chunk={tokensMessages}>
      <Result {...props} />
    </FlowMessages>
  )
}

function Result({ found, symbols, onImport }: FoundTokenProps): ReactElement | null {
  const t = useFlowMessages(tokensMessages)
  if (typeof found === 'object') return <Candidate token={found} symbols={symbols} onImport={onImport} />
  return (
    <>
      {found === 'loading' && (
        <ul className="rows">
          <SkeletonRows count={1} />
        </ul>
      )}
      <p className={found === 'loading' ? 'hidden' : 'hint center'} role="status">
        {found === 'loading' && t.looking}
        {found === 'none' && t.none}
        {found === 'unreachable' && t.unreachable}
      </p>
    </>
  )
}

function Candidate({ token, symbols, onImport }: { token: SendToken } & Omit<FoundTokenProps, 'found'>): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(tokensMessages)
  const { locale } = useLatchkeyContext()
  const [isBusy, setIsBusy] = useState(false)
  const { asset, name, balance } = token
  const { symbol, decimals, address = '' } = asset
  const isImitation = symbols.some((known) => known.toLowerCase() === symbol.toLowerCase())
  const add = async (): Promise<void> => {
    if (isBusy) return
    setIsBusy(true)
    try {
      if ((await importToken(latchkey, address)) === undefined) showToast(latchkey, t.full, { variant: 'error' })
      else onImport(token)
    } catch {
      showToast(latchkey, t.unreachable, { variant: 'error' })
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <section className="group" aria-label={name}>
      <div className="row holding">
        <Mark name={symbol} />
        <span className="text">
          <span className="name">{name}</span>
          <span className="sub">{symbol}</span>
        </span>
        {balance !== undefined && (
          <span className="amount figures">
            <bdi dir="ltr">{quantityText(locale, balance, decimals)}</bdi>
          </span>
        )}
      </div>
      <WholeAddress address={address} />
      <Warnings
        warnings={[
          ...(isImitation ? [{ key: 'imitation', tone: 'danger', text: t.sameSymbol({ symbol }) } as const] : []),
          { key: 'unverified', tone: 'warning', text: t.warning },
        ]}
      />
      <button type="button" className="button" data-primary="" aria-busy={isBusy} onClick={() => void add()}>
        {isBusy && <span className="spinner" />}
        {t.import({ symbol })}
      </button>
    </section>
  )
}
