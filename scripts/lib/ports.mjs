import { createServer } from 'node:net'

/**
 * Whether somebody listens on a port of this machine.
 *
 * @param {number} port
 * @returns {Promise<boolean>}
 */
export function takenPort(port) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(true))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(false)))
  })
}
