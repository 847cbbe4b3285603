import { getAccount, getBalance, parseAmount, waitForTransaction } from '@latchkey/core'
import { useBalance, useLatchkey, useSendTransaction } from '@latchkey/react'
import { useState, type FormEvent, type ReactElement } from 'react'
import { useRequest } from './useRequest.ts'

/** An unused account of the local world. */
const spareAddress = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

export function SendCard({ currency }: { currency: { symbol: string; decimals: number } }): ReactElement {
  const { symbol, decimals } = currency
  const latchkey = useLatchkey()
  const { sendTransaction } = useSendTransaction()
  const balance = useBalance()
  // Other namespaces have other address formats, so their field starts empty.
  const [to, setTo] = useState(() => (getAccount(latchkey).network?.chainNamespace === 'eip155' ? spareAddress : ''))
  const [amount, setAmount] = useState('0.1')
  const [hash, setHash] = useState<string>()
  const [state, request] = useRequest<bigint>()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setHash(undefined)
    request(async () => {
      const sent = await sendTransaction({ to, value: parseAmount(amount, decimals) })
      setHash(sent)
      const { blockNumber } = await waitForTransaction(latchkey, sent)
      await getBalance(latchkey, { fresh: true })
      await balance.refetch()
      return blockNumber
    })
  }
  return (
    <form className="card" onSubmit={submit} aria-labelledby="send-title">
      <h2 id="send-title">Send {symbol}</h2>
      <label>
        To
        <input value={to} onChange={(event) => setTo(event.target.value)} autoComplete="off" spellCheck={false} />
      </label>
      <label>
        Amount
        <input value={amount} onChange={(event) => setAmount(event.target.value)} inputMode="decimal" />
      </label>
      <button className="button primary" disabled={state.status === 'waiting'}>
        {state.status === 'waiting' ? (hash === undefined ? 'Approve in the wallet…' : 'Waiting for a block…') : 'Send'}
      </button>
      <div role="status">
        {state.status === 'done' && <p className="good">{`Mined in block ${state.result}.`}</p>}
        {hash !== undefined && <p className="hash">{hash}</p>}
      </div>
      {state.status === 'failed' && <p role="alert">{state.reason}</p>}
    </form>
  )
}
