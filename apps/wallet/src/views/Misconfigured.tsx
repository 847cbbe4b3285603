import { isLatchkeyError } from '@latchkey/protocol'

/** What stands in the page when it was not given what it needs. */
export function Misconfigured({ error }: { error: unknown }) {
  const problems = isLatchkeyError(error, 'config/invalid') ? error.context.problems : []
  return (
    <main className="wallet misconfigured">
      <h1>The wallet cannot start</h1>
      <p>Its page was served without a usable configuration. Open it through npm start, which writes one into it.</p>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </main>
  )
}
