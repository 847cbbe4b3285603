/** The third-party clients that tests use. */
const others = /node_modules\/(sign-client-[\d.]+|@walletconnect)\//

/**
 * True if an unhandled error fails the test run. Third-party clients leave rejected promises unhandled when their
 * connection closes, long after their test has ended. These errors are unrelated to the tested code.
 *
 * @param {{ stack?: string }} error
 */
export function isOurs({ stack = '' }) {
  return !others.test(stack)
}
