export { readConfig, serviceNames, type ServerConfig, type ServiceName } from './config.ts'
export { startServer, type RunningServer } from './startServer.ts'
