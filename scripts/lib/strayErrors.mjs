/** The open clients that tests talk to. */
const others = /node_modules\/(sign-client-[\d.]+|@walletconnect)\//

/**
 * Whether an error that nobody handled fails a run of tests. The clients of others leave promises alone when their
 * connection goes, long after the test that made them: that says nothing about what is tested here.
 *
 * @param {{ stack?: string }} error
 */
export function isOurs({ stack = '' }) {
  return !others.test(stack)
}
