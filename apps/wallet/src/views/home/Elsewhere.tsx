/** What an older tab shows once a newer one holds the wallet. */
export function Elsewhere() {
  return (
    <main className="wallet elsewhere">
      <h1>The wallet is open in another tab</h1>
      <p>Only one tab at a time answers apps, so that nothing is answered twice.</p>
      <button type="button" className="primary" onClick={() => location.reload()}>
        Use it here
      </button>
    </main>
  )
}
