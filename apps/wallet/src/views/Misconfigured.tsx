import { isLatchkeyError } from '@latchkey/protocol'

/** Shows the problems of an invalid configuration. */
export function Misconfigured({ error }: { error: unknown }) {
  const problems = isLatchkeyError(error, 'config/invalid') ? error.context.problems : []
  return (
    <main className="wallet misconfigured">
      <h1>The wallet cannot start</h1>
      <p>The page has no valid configuration. Start the wallet with npm start, which writes the configuration.</p>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </main>
  )
}
