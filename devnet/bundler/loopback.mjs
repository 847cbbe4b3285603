// Loaded before the bundler, which by default listens on all interfaces. With this it listens on loopback
// only and reports its port.
import { Server } from 'node:net'

const { listen } = Server.prototype

Server.prototype.listen = function (...args) {
  const [options] = args
  if (typeof options === 'object' && options !== null && 'port' in options) {
    options.host = '127.0.0.1'
    this.once('listening', () => console.log(`The bundler listens on port ${this.address().port}.`))
  }
  return Reflect.apply(listen, this, args)
}
