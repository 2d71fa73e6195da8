import { useParams } from 'wouter';
import { NotFound } from '../../components/states/not-found.tsx';
import { MovementReport } from './movement-report.tsx';
import { StockReport } from './stock-report.tsx';
import { VarianceReport } from './variance-report.tsx';

export default function ReportsPage() {
  const { report } = useParams<{ report?: string }>();
  if (report === undefined) return <StockReport />;
  if (report === 'movements') return <MovementReport />;
  return report === 'variance' ? <VarianceReport /> : <NotFound />;
}
