import { useRef, useState } from 'react'
import type { Pairing } from '../../wallet/developerWallet.ts'
import { pair } from '../../wallet/pair.ts'
import { Icon } from '../components/Icon.tsx'
import { codeReader } from '../scan/codeReader.ts'
import { ScanSheet } from '../scan/ScanSheet.tsx'
import { useWallet, useWalletState } from '../useStore.ts'

/** Takes a pairing link that the user types, pastes or scans. */
export function ConnectForm() {
  const wallet = useWallet()
  const { pairing } = useWalletState()
  const [link, setLink] = useState('')
  const [isScanning, setScanning] = useState(false)
  const [reader] = useState(() => codeReader(globalThis))
  const field = useRef<HTMLInputElement>(null)
  const isPairing = pairing.status === 'reaching'

  async function connect(uri: string): Promise<void> {
    setScanning(false)
    if (await pair(wallet, uri)) setLink('')
    else field.current?.focus()
  }

  return (
    <form
      className="connect"
      aria-label="Connect to an app"
      onSubmit={(event) => {
        event.preventDefault()
        void connect(link)
      }}
    >
      <PairingStatus pairing={pairing} />
      <div className="field">
        <input
          ref={field}
          aria-label="Link of an app"
          aria-describedby="pairing"
          aria-invalid={pairing.status === 'failed'}
          placeholder="Paste an app’s link: wc:…"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          value={link}
          onChange={(event) => setLink(event.target.value)}
        />
        {reader !== undefined && (
          <button type="button" className="icon-button" aria-label="Scan a code" onClick={() => setScanning(true)}>
            <Icon name="scan" />
          </button>
        )}
      </div>
      <button type="submit" className="primary" disabled={link.trim() === '' || isPairing}>
        {isPairing ? 'Connecting…' : 'Connect'}
      </button>
      {reader !== undefined && (
        <ScanSheet
          reader={reader}
          isOpen={isScanning}
          onClose={() => setScanning(false)}
          onFound={(uri) => void connect(uri)}
        />
      )}
    </form>
  )
}

function PairingStatus({ pairing }: { pairing: Pairing }) {
  return (
    <p id="pairing" className="hint" role={pairing.status === 'failed' ? 'alert' : 'status'}>
      {pairing.status === 'failed' && pairing.reason}
      {pairing.status === 'reaching' && 'Waiting for the app’s connection request.'}
      {pairing.status === 'late' && 'The app hasn’t responded yet. Create a new link in the app and paste it here.'}
    </p>
  )
}
