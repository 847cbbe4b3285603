// Loaded before the bundler, which listens to everybody and does not say where: with this it listens to this machine
// alone, and says so.
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
