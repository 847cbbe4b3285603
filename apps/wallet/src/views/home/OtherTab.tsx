/** Replaces the wallet in a tab once a newer tab holds it. */
export function OtherTab() {
  return (
    <main className="wallet elsewhere">
      <h1>The wallet is open in another tab</h1>
      <p>Only one tab at a time responds to apps, so that no request gets two responses.</p>
      <button type="button" className="primary" onClick={() => location.reload()}>
        Use it here
      </button>
    </main>
  )
}
