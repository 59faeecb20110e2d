import './styles.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { allowOnlyText } from './app/content-policy.ts'

allowOnlyText()
const root = document.getElementById('root')
if (root) createRoot(root).render(<App />)
