/** Shows the data of a call. */
export function TransactionData({ data }: { data: string }) {
  if (data === '0x') return null
  return (
    <details className="more">
      <summary>Data, {(data.length - 2) / 2} bytes</summary>
      <section className="quote" aria-label="Data">
        <code>{data}</code>
      </section>
    </details>
  )
}
